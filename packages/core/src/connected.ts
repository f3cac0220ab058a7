// What a page needs once a wallet is connected, imported as one module so that a bundler makes one chunk of it.
export { fetchNativeBalance } from './account/nativeBalance.ts'
export { followOtherTab } from './connection/otherTabs.ts'
export { reconnect } from './connection/reconnect.ts'
export { switchEvmNetwork } from './evm/switchEvmNetwork.ts'
export { readWalletAssets } from './evm/walletAssets.ts'
export { fetchIdentity } from './names/identity.ts'
export { followAccount } from './push/followAccount.ts'
