import type { PreparedOperation, PreparedRemoval } from '../smartAccount/smartAccount.ts'
import type { OperationView } from './approvalView.ts'
import { type Fees, feesOf } from './transaction.ts'

/**
 * Returns what an operation of a smart account costs, and the code that it gives the account, as it is shown.
 *
 * @throws FrameError -32602 when the bundler names a fee that is too far above that of the network
 */
export function operationView(
  { operation, maxFee, delegate }: PreparedOperation | PreparedRemoval,
  network: Fees,
): OperationView {
  // The bundler names the fees, and the account pays them unless a paymaster does.
  const isSponsored = 'paymaster' in operation && operation.paymaster !== undefined
  const isHighFee = isSponsored ? false : feesOf(operation, network).isHighFee
  return { maxFee, isHighFee, delegate }
}
