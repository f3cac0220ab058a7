import { HawserProvider } from '@hawser/react'
import '@hawser/react/styles.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { WagmiProvider } from 'wagmi'
import { App } from './App.tsx'
import { config, hawser } from './hawser.ts'

createRoot(document.getElementById('root') as HTMLElement).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={new QueryClient()}>
      <HawserProvider hawser={hawser}>
        <App />
      </HawserProvider>
    </QueryClientProvider>
  </WagmiProvider>,
)
