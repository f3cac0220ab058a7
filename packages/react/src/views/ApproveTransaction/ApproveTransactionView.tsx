import { FrameOverCard } from '../../parts/logins/FrameOverCard.tsx'

/** Shows the wallet's frame for as long as a request waits in it. */
export function ApproveTransactionView() {
  return <FrameOverCard />
}
