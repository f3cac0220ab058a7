export {
  type Approval,
  type AuthenticationProposal,
  createWalletClient,
  type Proposal,
  type WalletClient,
  type WalletListener,
  type WalletRequest,
} from '../sign/walletClient.ts'
