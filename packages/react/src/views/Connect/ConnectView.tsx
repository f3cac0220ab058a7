import { type ConnectMethod, connectMethods, offeredLogins, pushView, readServedFeatures } from '@hawser/core'
import { AlertIcon, Button, EmptyState, Separator, Skeleton, WalletIcon } from '@hawser/ui'
import { Fragment, type ReactNode, useEffect } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { useLoginFeature } from '../../modal/loginFeature.ts'
import { LegalCheckbox, LegalFooter, useLegalBlock } from '../../parts/Legal.tsx'
import { useOfferedNamespaces } from '../../parts/namespaces/useOfferedNamespaces.ts'
import { WalletRows } from '../../parts/WalletRows.tsx'

/** The first view: the logins of the embedded wallet and the wallets to connect with, in the site's order. */
export function ConnectView() {
  return (
    <div className="hw-stack" data-testid="w3m-connect-scroll-view">
      <LegalCheckbox />
      <Methods />
      <WalletGuide />
      <LegalFooter />
    </div>
  )
}

function Methods() {
  const texts = useTexts()
  const hawser = useHawser()
  const options = useHawserState(hawser.options, (state) => state)
  const connectors = useHawserState(hawser.connectors, (state) => state)
  const served = useHawserState(hawser.served, (state) => state)
  const namespaces = useOfferedNamespaces()
  const usable = connectors.allConnectors.filter(({ chain }) => namespaces.includes(chain))
  const { email, socials } = offeredLogins({ allConnectors: usable }, options.features, served)
  const hasWallets = options.enableWallets && !(email && !options.features.emailShowWallets)
  const hasLogins = email || socials.length > 0
  useEffect(() => {
    // Without an answer everything is offered, and shows its own errors.
    if (hasLogins) readServedFeatures(hawser).catch(() => undefined)
  }, [hawser, hasLogins])
  const { feature: logins, hasFailed, retry } = useLoginFeature(hasLogins)
  const missing = hasFailed && <LoginFailure onRetry={retry} />
  const methods: Record<ConnectMethod, ReactNode> = {
    email: email && (logins ? <logins.EmailLogin /> : missing || <LoginSkeleton rows={1} />),
    // One failure message covers both.
    social:
      socials.length > 0 &&
      (logins ? <logins.SocialLogins /> : !(email && missing) && (missing || <LoginSkeleton rows={2} />)),
    wallet: hasWallets && (options.features.collapseWallets ? <CollapsedWallets /> : <WalletRows />),
  }
  const shown = connectMethods(options.features, connectors).filter((method) => methods[method])
  if (shown.length === 0) return <NothingToConnect />
  return shown.map((method, at) => (
    <Fragment key={method}>
      {/* Email and social logins belong together. */}
      {at > 0 && (method === 'wallet' || shown[at - 1] === 'wallet') && <Separator label={texts.or} />}
      {methods[method]}
    </Fragment>
  ))
}

/** Has the height of the logins whose code is loading. */
function LoginSkeleton({ rows }: { rows: number }) {
  const texts = useTexts()
  return (
    <div className="hw-section" role="status">
      <span className="hw-visually-hidden">{texts.loading}</span>
      {[...Array(rows).keys()].map((row) => (
        <Skeleton key={row} width={328} height={48} shape="row" />
      ))}
    </div>
  )
}

/** Shown when the code of the logins did not load, and a retry from another URL failed too. */
function LoginFailure({ onRetry }: { onRetry: () => void }) {
  const texts = useTexts()
  return (
    <EmptyState
      icon={<AlertIcon size={26} />}
      title={texts.connect.loginsFailed}
      tone="error"
      action={
        <Button size="small" onClick={onRetry}>
          {texts.tryAgain}
        </Button>
      }
      data-testid="logins-failed"
    >
      {texts.viewFailure.text}
    </EmptyState>
  )
}

function CollapsedWallets() {
  const texts = useTexts()
  const hawser = useHawser()
  const blocked = useLegalBlock()
  return (
    <Button
      wide
      icon={<WalletIcon />}
      disabled={blocked}
      data-testid="w3m-collapse-wallets-button"
      onClick={() => pushView(hawser, 'ConnectWallets')}
    >
      {texts.connect.continueWithWallet}
    </Button>
  )
}

function NothingToConnect() {
  const texts = useTexts()
  return (
    <EmptyState icon={<AlertIcon size={26} />} title={texts.connect.disabledTitle}>
      {texts.connect.disabledText}
    </EmptyState>
  )
}

function WalletGuide() {
  const texts = useTexts()
  const hawser = useHawser()
  const enabled = useHawserState(
    hawser.options,
    (options) => options.enableWallets && options.enableWalletGuide,
  )
  if (!enabled) return null
  return (
    <p className="hw-guide">
      {texts.connect.guideQuestion}
      <button
        type="button"
        className="hw-link"
        data-testid="w3m-wallet-guide-get-started"
        onClick={() => pushView(hawser, 'WhatIsAWallet')}
      >
        {texts.connect.guideAction}
      </button>
    </p>
  )
}
