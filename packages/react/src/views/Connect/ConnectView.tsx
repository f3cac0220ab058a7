import { pushView } from '@hawser/core'
import { AlertIcon, Button, EmptyState, WalletIcon } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { en } from '../../locale/en.ts'
import { LegalCheckbox, LegalFooter, useLegalBlock } from '../../parts/Legal.tsx'
import { WalletRows } from '../../parts/WalletRows.tsx'

/** The first view: the wallets to connect with. */
export function ConnectView() {
  const hawser = useHawser()
  const enableWallets = useHawserState(hawser.options, (options) => options.enableWallets)
  const collapsed = useHawserState(hawser.options, (options) => options.features.collapseWallets)
  return (
    <div className="hw-stack" data-testid="w3m-connect-scroll-view">
      <LegalCheckbox />
      {!enableWallets ? <NothingToConnect /> : collapsed ? <CollapsedWallets /> : <WalletRows />}
      {enableWallets && <WalletGuide />}
      <LegalFooter />
    </div>
  )
}

function CollapsedWallets() {
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
      {en.connect.continueWithWallet}
    </Button>
  )
}

function NothingToConnect() {
  return (
    <EmptyState icon={<AlertIcon size={26} />} title={en.connect.disabledTitle}>
      {en.connect.disabledText}
    </EmptyState>
  )
}

function WalletGuide() {
  const hawser = useHawser()
  const enabled = useHawserState(hawser.options, (options) => options.enableWalletGuide)
  if (!enabled) return null
  return (
    <p className="hw-guide">
      {en.connect.guideQuestion}
      <button
        type="button"
        className="hw-link"
        data-testid="w3m-wallet-guide-get-started"
        onClick={() => pushView(hawser, 'WhatIsAWallet')}
      >
        {en.connect.guideAction}
      </button>
    </p>
  )
}
