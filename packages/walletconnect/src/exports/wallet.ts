export { createWalletClient, type WalletClient } from '../sign/walletClient.ts'
export type {
  Approval,
  AuthenticationProposal,
  Proposal,
  WalletListener,
  WalletRequest,
} from '../sign/walletListener.ts'
