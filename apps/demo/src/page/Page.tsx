import { ConnectButton, NetworkButton, useTheme } from '@hawser/react'
import { ThemeScope } from '@hawser/ui'
import { useEffect } from 'react'
import { useLab } from '../lab/LabContext.ts'
import { AccountSection } from '../sections/AccountSection.tsx'
import { BuySection } from '../sections/BuySection.tsx'
import { EventLogSection } from '../sections/EventLogSection.tsx'
import { FailureSection } from '../sections/FailureSection.tsx'
import { FeatureSection } from '../sections/FeatureSection.tsx'
import { SendSection } from '../sections/SendSection.tsx'
import { SignSection } from '../sections/SignSection.tsx'
import { StorageSection } from '../sections/StorageSection.tsx'
import { SwapSection } from '../sections/SwapSection.tsx'
import { ThemeSection } from '../sections/ThemeSection.tsx'
import { TokensSection } from '../sections/TokensSection.tsx'
import { Mark } from './Mark.tsx'

/** The lab. */
export function Page() {
  const { themeMode, themeVariables } = useTheme()
  useEffect(() => {
    document.documentElement.dataset.theme = themeMode
  }, [themeMode])
  return (
    <ThemeScope mode={themeMode} vars={themeVariables}>
      <div className="page">
        <header className="bar">
          <a className="brand" href="/" aria-label="Hawser lab">
            <Mark />
            <span>Hawser</span>
          </a>
          <div className="bar-buttons">
            <NetworkButton />
            <ConnectButton />
          </div>
        </header>
        <main>
          <Intro />
          <div className="panels">
            <AccountSection />
            <ThemeSection />
            <TokensSection />
            <SendSection />
            <SwapSection />
            <BuySection />
            <SignSection />
            <FeatureSection />
            <FailureSection />
            <StorageSection />
            <EventLogSection />
          </div>
        </main>
      </div>
    </ThemeScope>
  )
}

function Intro() {
  const { config } = useLab()
  return (
    <div className="intro">
      <h1>Wallets, moored to your own server.</h1>
      <p>
        Connect, hold, send, swap and receive. Everything on this page runs on{' '}
        <code>{new URL(config.gatewayUrl).host}</code>
        {config.devnet ? ' and local chains with test money.' : '. No local chains are running.'}
      </p>
    </div>
  )
}
