import { injected, walletConnect } from '@hawser/connectors'
import { createHawser } from '@hawser/core'
import { createWagmiConfig } from '@hawser/wagmi'
import { networks } from './networks.ts'

export const hawser = createHawser({
  baseUrl: import.meta.env.VITE_HAWSER_URL ?? 'http://localhost:8080',
  projectId: import.meta.env.VITE_HAWSER_PROJECT_ID ?? '00000000000000000000000000000001',
  networks,
  connectors: [injected(), walletConnect()],
})

export const config = createWagmiConfig(hawser)
