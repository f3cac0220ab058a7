export { createEmbeddedWallet, type EmbeddedWalletOptions } from '../page/embeddedWallet.ts'
export type {
  AccountType,
  CaipNetworkId,
  DappData,
  EmbeddedContact,
  EmbeddedContactChange,
  EmbeddedUser,
  EmbeddedWallet,
  EmbeddedWalletEvents,
  FrameRect,
  FrameTheme,
  SocialProvider,
  WalletRequest,
} from '../page/types.ts'
