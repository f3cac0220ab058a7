export type { HandoffSite, WalletGateway } from '../handoff/gateway.ts'
export type { ClaimedHandoff } from '../handoff/walletHandoff.ts'
export { createWalletClient, type WalletClient } from '../sign/walletClient.ts'
export type {
  Approval,
  AuthenticationProposal,
  Proposal,
  WalletListener,
  WalletRequest,
} from '../sign/walletListener.ts'
