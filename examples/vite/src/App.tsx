import { injected } from '@hawser/connectors'
import { createHawser } from '@hawser/core'
import { base, ethereum } from '@hawser/core/networks'
import { ConnectButton, HawserProvider } from '@hawser/react'
import '@hawser/react/styles.css'

const hawser = createHawser({
  baseUrl: 'http://localhost:8080', // your gateway
  projectId: '00000000000000000000000000000001', // printed by `hawser project create`
  networks: [ethereum, base],
  connectors: [injected()],
})

export function App() {
  return (
    <HawserProvider hawser={hawser}>
      <ConnectButton />
    </HawserProvider>
  )
}
