import { type Connector, isPhone, type SelectedWallet } from '@hawser/core'
import { AlertIcon, AssetIcon, EmptyState, QrIcon } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useCoreTexts } from '../../locale/textsOf.ts'
import { usePairingTexts } from '../../locale/usePairingTexts.ts'
import { PairingCode } from '../../parts/pairing/PairingCode.tsx'
import { PairingReach } from '../../parts/pairing/PairingReach.tsx'
import { usePairing } from '../../parts/pairing/usePairing.ts'
import { canHandOff, canPair, usePairingConnector } from '../../parts/pairing/usePairingConnector.ts'
import { Waiting } from '../../parts/Waiting.tsx'
import { AppLinks, GetWalletRow } from './AppLinks.tsx'
import { HandoffSteps } from './HandoffSteps.tsx'
import { MobileLink } from './MobileLink.tsx'
import { UnreachableWallet } from './UnreachableWallet.tsx'

/**
 * Pairs a wallet outside this page: by a QR code, or on a phone by a link to the wallet's app. A wallet that answers through no relay
 * of the site is reached by a hand-off to its browser.
 */
export function ConnectingWalletConnectView() {
  const texts = usePairingTexts()
  const hawser = useHawser()
  const wallet = useHawserState(hawser.router, (state) => state.data?.wallet)
  const connector = usePairingConnector()
  if (!connector) {
    return (
      <EmptyState icon={<AlertIcon size={26} />} title={texts.failed}>
        {texts.unavailable}
      </EmptyState>
    )
  }
  if (!wallet || canPair(wallet, connector)) return <Pairing connector={connector} wallet={wallet} />
  if (isPhone() || !canHandOff(wallet, connector)) return <UnreachableWallet wallet={wallet} />
  return <Pairing connector={connector} wallet={wallet} isHandoff />
}

interface PairingProps {
  connector: Connector
  wallet: SelectedWallet | undefined
  isHandoff?: boolean
}

function Pairing({ connector, wallet, isHandoff = false }: PairingProps) {
  const { walletTexts } = useCoreTexts()
  const texts = usePairingTexts()
  const pairing = usePairing(connector, wallet, isHandoff)
  const { status, detail, retry } = pairing
  const mark = wallet ? (
    <AssetIcon name={wallet.name} src={wallet.imageUrl} size={80} shape="square" />
  ) : (
    <span className="hw-pairing-mark">
      <QrIcon size={40} />
    </span>
  )
  if (status === 'declined') {
    return (
      <Waiting
        mark={mark}
        state="idle"
        label={walletTexts.declined}
        text={texts.declinedText}
        onRetry={retry}
      />
    )
  }
  if (wallet && pairing.isRefused) return <UnreachableWallet wallet={wallet} />
  if (status === 'failed') {
    return <Waiting mark={mark} state="error" label={texts.failed} text={detail} onRetry={retry} />
  }
  if (wallet && isHandoff) return <HandoffSteps pairing={pairing} wallet={wallet} mark={mark} />
  if (isPhone() && wallet && (wallet.links?.mobile || wallet.links?.universal)) {
    return <MobileLink pairing={pairing} wallet={wallet} mark={mark} />
  }
  return (
    <div className="hw-pairing">
      <PairingCode pairing={pairing} wallet={wallet} />
      {wallet && <AppLinks uri={pairing.uri} wallet={wallet} />}
      {wallet ? <GetWalletRow wallet={wallet} /> : <PairingReach connector={connector} />}
    </div>
  )
}
