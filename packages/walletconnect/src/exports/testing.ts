export { account, approved, createStorage, createWallet } from '../testing/peers.ts'
export { createTestRelay, type TestRelay } from '../testing/testRelay.ts'
