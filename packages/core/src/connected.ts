// What a page needs once a wallet is connected, imported as one module so that a bundler makes one chunk of it. Modules
// that are imported dynamically after it import it by name alone, and package.json lists it as a side effect: a bundler
// then puts what both use into one chunk, not into several small ones.
export { readAccount } from './account/readAccount.ts'
export { openLinkedWallet } from './connection/deepLink.ts'
export { followOtherTab } from './connection/otherTabs.ts'
export { reconnect } from './connection/reconnect.ts'
export { followAccount } from './push/followAccount.ts'
