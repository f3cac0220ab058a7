import { devWallet, injected, walletConnect } from '@hawser/connectors'
import { createHawser, defineNetwork } from '@hawser/core'
import { createSiwx } from '@hawser/siwe'

const baseUrl = import.meta.env.VITE_HAWSER_URL ?? 'http://localhost:8080' // your gateway
const projectId = import.meta.env.VITE_HAWSER_PROJECT_ID ?? '00000000000000000000000000000001' // of `hawser project create`

// The local chain of `make up`. For others: import { base, ethereum } from '@hawser/core/networks'.
const local = defineNetwork({
  id: 31337,
  name: 'Local chain',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
})

export const hawser = createHawser({
  baseUrl,
  projectId,
  networks: [local],
  connectors: [
    injected(),
    walletConnect(),
    // A test account with money on the local chain. Never list it beside a chain where tokens are worth anything.
    devWallet({ rpcUrls: { 31337: `${baseUrl}/v1?chainId=eip155:31337&projectId=${projectId}` } }),
  ],
  // Visitors sign in: they prove that the account is theirs.
  siwx: createSiwx({ url: `${baseUrl}/auth/v1`, projectId }),
})
