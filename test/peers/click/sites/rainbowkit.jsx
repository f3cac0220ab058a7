import { ConnectButton, RainbowKitProvider } from '@rainbow-me/rainbowkit'
import '@rainbow-me/rainbowkit/styles.css'
import { renderSite } from './wagmi.jsx'

renderSite(
  <RainbowKitProvider>
    <ConnectButton />
  </RainbowKitProvider>,
)
