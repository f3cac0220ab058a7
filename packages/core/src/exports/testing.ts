// Shared by the tests of other packages. Resolved by the `source` condition only, so it is not published.
export { updateAccount } from '../chain/chainState.ts'
export { fetchIdentity } from '../names/identity.ts'
export {
  COLLECTION,
  EXCHANGE,
  LIMITED,
  ONE_NFT,
  OPERATOR,
  PERSON,
  STRANGER,
  THROUGH_PERMIT2,
  UNLIMITED,
} from '../testing/approvals.ts'
export { type Browser, stubWindows } from '../testing/buying.ts'
export { Refusal } from '../testing/connectRouter.ts'
export { quoteOf, swapData, swapTokens as listedSwapTokens, typedPermit } from '../testing/fakeConversions.ts'
export {
  createFakeEmbeddedWallet,
  type FakeEmbeddedWallet,
  whenUserIsRead,
} from '../testing/fakeEmbeddedWallet.ts'
export { DOLLAR, DOLLAR_ADDRESS, ETHER, type FakeDirectoryEntry } from '../testing/fakeGateway.ts'
export {
  moveOrder,
  orderOf,
  quoteOf as sellerQuoteOf,
  SELLERS,
} from '../testing/fakeOnramp.ts'
export { createFakeRelayWallet, type FakeRelayWallet, relaySession } from '../testing/fakeRelayWallet.ts'
export { CONTEXT, listedSession, PCI } from '../testing/fakeSessions.ts'
export { createFakeSignIn, type FakeSignIn } from '../testing/fakeSignIn.ts'
export { ALICE, BOB, createFakeWallet, deferred, walletError } from '../testing/fakeWallet.ts'
export { createConnectedKit, createKit, devnet, devnetTwo, type Kit, offer } from '../testing/kit.ts'
export { ANCHORS, MOORINGS } from '../testing/nfts.ts'
export {
  DEVNET_COIN_TYPE,
  leadingTo,
  NAME,
  owning,
  recordOf,
  SIGNATURE,
  signedTexts,
} from '../testing/owning.ts'
export { previewing, sent } from '../testing/previewing.ts'
export { askedOfWallet, requestsFor } from '../testing/swapping.ts'
export { dollarInfo, transaction, transfer } from '../testing/transactions.ts'
