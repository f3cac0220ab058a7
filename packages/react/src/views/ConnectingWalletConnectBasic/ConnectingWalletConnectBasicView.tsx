import { isPhone } from '@hawser/core'
import { AlertIcon, EmptyState, List } from '@hawser/ui'
import { usePairingTexts } from '../../locale/usePairingTexts.ts'
import { AllWalletsRow } from '../../parts/AllWalletsRow.tsx'
import { LegalCheckbox, useLegalBlock } from '../../parts/Legal.tsx'
import { PairingCode } from '../../parts/pairing/PairingCode.tsx'
import { PairingReach } from '../../parts/pairing/PairingReach.tsx'
import { usePairing } from '../../parts/pairing/usePairing.ts'
import { usePairingConnector } from '../../parts/pairing/usePairingConnector.ts'
import { WalletRows } from '../../parts/WalletRows.tsx'

/** The first view of a site that offers pairings alone: a QR code, or on a phone the wallets to open. */
export function ConnectingWalletConnectBasicView() {
  return isPhone() ? (
    <div className="hw-stack">
      <LegalCheckbox />
      <WalletRows />
    </div>
  ) : (
    <BasicCode />
  )
}

function BasicCode() {
  const texts = usePairingTexts()
  const connector = usePairingConnector()
  const blocked = useLegalBlock()
  const pairing = usePairing(blocked ? undefined : connector, undefined)
  if (!connector) {
    return (
      <EmptyState icon={<AlertIcon size={26} />} title={texts.failed}>
        {texts.unavailable}
      </EmptyState>
    )
  }
  const hasEnded = pairing.status === 'declined' || pairing.status === 'failed'
  return (
    <div className="hw-pairing">
      <LegalCheckbox />
      <PairingCode pairing={hasEnded ? { ...pairing, status: 'expired' } : pairing} />
      <PairingReach connector={connector} />
      <List label={texts.all.row}>
        <AllWalletsRow />
      </List>
    </div>
  )
}
