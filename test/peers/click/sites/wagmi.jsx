import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createConfig, http, WagmiProvider } from 'wagmi'
import { base, mainnet } from 'wagmi/chains'

// Wallets are those that announce themselves (EIP-6963), and the node never answers.
const config = createConfig({
  chains: [mainnet, base],
  transports: { [mainnet.id]: http('http://node.invalid'), [base.id]: http('http://node.invalid') },
})
const queries = new QueryClient()

/** @param {import('react').ReactNode} kit its provider with its button in it */
export function renderSite(kit) {
  createRoot(document.getElementById('root')).render(
    <StrictMode>
      <WagmiProvider config={config}>
        <QueryClientProvider client={queries}>{kit}</QueryClientProvider>
      </WagmiProvider>
    </StrictMode>,
  )
}
