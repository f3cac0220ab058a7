// What a page needs once a wallet is connected, imported as one module so that a bundler creates one chunk for it.
// "Chunks" in ARCHITECTURE.md says why the adapters and the open orders import it.
export { readAccount } from './account/readAccount.ts'
export { showRefusal } from './alert/relayRefusal.ts'
export { arriveInWallet } from './connection/arrival.ts'
export { openLinkedWallet } from './connection/deepLink.ts'
export { followOtherTab } from './connection/otherTabs.ts'
export { reconnect } from './connection/reconnect.ts'
export { followLogin } from './connection/session.ts'
export { followUntilDisconnected } from './push/followUntilDisconnected.ts'
