export { account, approved, createStorage, createWallet } from '../testing/peers.ts'
export { createTestGateway, type TestGateway } from '../testing/testGateway.ts'
export { createTestRelay, type TestRelay } from '../testing/testRelay.ts'
