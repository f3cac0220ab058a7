// What a page needs once a wallet is connected, imported as one module so that a bundler creates one chunk
// for it. Modules that are imported dynamically later have a bare import of it (`import '…/connected.ts'`),
// and package.json lists it as a side effect. A bundler then puts the code that both use into one chunk, not
// into several small ones.
export { readAccount } from './account/readAccount.ts'
export { openLinkedWallet } from './connection/deepLink.ts'
export { followOtherTab } from './connection/otherTabs.ts'
export { reconnect } from './connection/reconnect.ts'
export { followLogin } from './connection/session.ts'
export { followAccount } from './push/followAccount.ts'
export { followIdentity } from './push/identityChanges.ts'
export { takeChange } from './push/takeChange.ts'
