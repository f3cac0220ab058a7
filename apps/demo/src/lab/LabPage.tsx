import { InboxLink } from '../page/InboxLink.tsx'
import { PageFrame } from '../page/PageFrame.tsx'
import { AccountSection } from '../sections/AccountSection.tsx'
import { BuySection } from '../sections/BuySection.tsx'
import { CoffeeSection } from '../sections/CoffeeSection.tsx'
import { EventLogSection } from '../sections/EventLogSection.tsx'
import { FailureSection } from '../sections/FailureSection.tsx'
import { FeatureSection } from '../sections/FeatureSection.tsx'
import { LanguageSection } from '../sections/LanguageSection.tsx'
import { NamesSection } from '../sections/NamesSection.tsx'
import { SendSection } from '../sections/SendSection.tsx'
import { SignSection } from '../sections/SignSection.tsx'
import { StorageSection } from '../sections/StorageSection.tsx'
import { SwapSection } from '../sections/SwapSection.tsx'
import { ThemeSection } from '../sections/ThemeSection.tsx'
import { TokensSection } from '../sections/TokensSection.tsx'
import { useLab } from './LabContext.ts'

/** The lab: switches for every feature and every failure of the modal. */
export function LabPage() {
  return (
    <PageFrame networks>
      <Intro />
      <div className="panels">
        <AccountSection />
        <ThemeSection />
        <LanguageSection />
        <NamesSection />
        <StorageSection />
        <SendSection />
        <SwapSection />
        <BuySection />
        <TokensSection />
        <SignSection />
        <FeatureSection />
        <FailureSection />
        <EventLogSection />
        <CoffeeSection />
      </div>
    </PageFrame>
  )
}

function Intro() {
  const { config } = useLab()
  return (
    <div className="intro">
      <h1>Lab</h1>
      <p>
        A switch for every feature, theme and failure of the modal. This page talks to{' '}
        <code>{new URL(config.gatewayUrl).host}</code>
        {config.devnet ? (
          <>
            {' '}
            and to local chains with test money. Login emails are in <InboxLink />.
          </>
        ) : (
          '. No local chains are running.'
        )}
      </p>
    </div>
  )
}
