export { createEmbeddedWallet, type EmbeddedWalletOptions } from '../page/embeddedWallet.ts'
export type {
  AccountType,
  CaipNetworkId,
  DappData,
  EmbeddedUser,
  EmbeddedWallet,
  EmbeddedWalletEvents,
  FrameRect,
  FrameTheme,
  SocialProvider,
  WalletRequest,
} from '../page/types.ts'
