// What a page needs once somebody is connected. It is imported as one: a bundler then makes one chunk of it.
export { fetchNativeBalance } from './account/nativeBalance.ts'
export { followOtherTab } from './connection/otherTabs.ts'
export { reconnect } from './connection/reconnect.ts'
export { switchEvmNetwork } from './evm/switchEvmNetwork.ts'
export { readWalletAssets } from './evm/walletAssets.ts'
export { fetchIdentity } from './names/identity.ts'
export { followAccount } from './push/followAccount.ts'
