import { ConnectKitButton, ConnectKitProvider } from 'connectkit'
import { renderSite } from './wagmi.jsx'

renderSite(
  <ConnectKitProvider>
    <ConnectKitButton />
  </ConnectKitProvider>,
)
