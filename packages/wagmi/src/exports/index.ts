export { createWagmiConfig, type WagmiOptions } from '../createWagmiConfig.ts'
export { type HawserConnectorProvider, hawserConnector } from '../hawserConnector.ts'
