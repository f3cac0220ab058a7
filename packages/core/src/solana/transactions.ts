// What a wallet signs on Solana, and why it fails, imported as one module so that a bundler creates one chunk for it.
export { refusalIn } from './simulationError.ts'
export { createSolanaRevocations } from './solanaRevocations.ts'
export { createSolanaTransfers } from './solanaTransfers.ts'
