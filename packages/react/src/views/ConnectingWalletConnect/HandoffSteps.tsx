import { cancelPairing, confirmHandoff, handoffUrl, type SelectedWallet } from '@hawser/core'
import { Button } from '@hawser/ui'
import { type ReactNode, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useGetWalletTexts } from '../../locale/useGetWalletTexts.ts'
import { usePairingTexts } from '../../locale/usePairingTexts.ts'
import { PairingCode } from '../../parts/pairing/PairingCode.tsx'
import type { PairingAttempt } from '../../parts/pairing/usePairing.ts'
import { Waiting } from '../../parts/Waiting.tsx'
import { isLoopback } from '../../parts/wallets/device.ts'
import { GetWalletRow } from './AppLinks.tsx'

export interface HandoffStepsProps {
  pairing: PairingAttempt
  wallet: SelectedWallet
  mark: ReactNode
}

/** Continues in the browser of a wallet on a phone: a code for its camera, then digits that both screens show. */
export function HandoffSteps({ pairing, wallet, mark }: HandoffStepsProps) {
  const texts = usePairingTexts()
  const { loopback } = useGetWalletTexts().onPhone
  const hawser = useHawser()
  const handoff = useHawserState(hawser.connection, (state) => state.handoff)
  const [isDifferent, setDifferent] = useState(false)
  const { uri, retry } = pairing

  function refuse() {
    setDifferent(true)
    cancelPairing(hawser)
  }
  function startAgain() {
    setDifferent(false)
    retry()
  }
  if (isDifferent) {
    const { differTitle, differText } = texts.handoff
    return <Waiting mark={mark} state="error" label={differTitle} text={differText} onRetry={startAgain} />
  }
  if (handoff?.isConfirmed) {
    const { name } = wallet
    return (
      <Waiting mark={mark} state="active" label={texts.opened(name)} text={texts.handoff.waiting(name)} />
    )
  }
  if (handoff) {
    const { digits, hasSecondScan } = handoff
    const shown = { digits, hasSecondScan, wallet, mark }
    return <CompareDigits {...shown} onDiffer={refuse} />
  }
  return (
    <div className="hw-pairing">
      <PairingCode
        pairing={pairing}
        wallet={wallet}
        text={uri && handoffUrl(wallet, uri)}
        guide={texts.handoff.scan}
        detail={texts.handoff.scanText(wallet.name)}
      />
      {uri && isLoopback(new URL(uri)) && <p className="hw-note">{loopback}</p>}
      <GetWalletRow wallet={wallet} />
    </div>
  )
}

interface CompareDigitsProps {
  digits: string
  hasSecondScan: boolean
  wallet: SelectedWallet
  mark: ReactNode
  onDiffer: () => void
}

/** Asks the visitor whether the wallet shows the same digits. */
function CompareDigits({ digits, hasSecondScan, wallet, mark, onDiffer }: CompareDigitsProps) {
  const texts = usePairingTexts().handoff
  const hawser = useHawser()
  return (
    <div className="hw-pairing" data-testid="handoff-compare">
      {mark}
      <div className="hw-waiting-text" role="status">
        <p className="hw-waiting-label">{texts.compare}</p>
        <p className="hw-handoff-digits">
          <span className="hw-visually-hidden">{`${texts.number}: ${[...digits].join(' ')}`}</span>
          <bdi aria-hidden="true" dir="ltr" data-testid="handoff-digits">
            {`${digits.slice(0, 3)}\u00a0${digits.slice(3)}`}
          </bdi>
        </p>
        <p className="hw-waiting-detail">{texts.question(wallet.name)}</p>
      </div>
      {hasSecondScan && (
        <p className="hw-note" role="alert">
          {texts.second(wallet.name)}
        </p>
      )}
      <div className="hw-handoff-answers">
        <Button variant="primary" data-testid="handoff-confirm" onClick={() => confirmHandoff(hawser)}>
          {texts.confirm}
        </Button>
        <Button data-testid="handoff-differ" onClick={onDiffer}>
          {texts.differ}
        </Button>
      </div>
    </div>
  )
}
