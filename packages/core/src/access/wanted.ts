import { reportAccess } from '../modal/accessFlows.ts'
import type { ApprovalReference } from '../types/access.ts'
import type { Hawser } from '../types/hawser.ts'

/** Shows an approval in the account, opened, for the visitor to revoke it. */
export function showApproval(hawser: Hawser, wanted: ApprovalReference): void {
  hawser.access.setState({ wanted })
  reportAccess(hawser, { kind: 'approvalWanted' })
}

/** Notes that the approval was shown, or is not wanted any more. */
export function forgetWanted(hawser: Hawser): void {
  if (hawser.access.getState().wanted) hawser.access.setState({ wanted: undefined })
}
