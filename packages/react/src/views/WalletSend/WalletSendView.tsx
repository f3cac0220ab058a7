import { formatUnits, isSmartAccount, loadSendBalances, pushView, sendReadiness } from '@hawser/core'
import { ArrowDownIcon, Button } from '@hawser/ui'
import { type FormEvent, useEffect } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useCoreTexts } from '../../locale/textsOf.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { SendAmountField } from './SendAmountField.tsx'
import { SendObstacle } from './SendObstacle.tsx'
import { SendReceiverField } from './SendReceiverField.tsx'
import { useReceiverCheck } from './useReceiverCheck.ts'

/** The send form. Its button says what is missing. */
export function WalletSendView() {
  const { sendLabels } = useCoreTexts()
  const _texts = useTexts()
  const hawser = useHawser()
  const { check } = useReceiverCheck()
  const readiness = useHawserState(hawser.send, (state) =>
    sendReadiness(state, { isSmartAccount: isSmartAccount(hawser), check }),
  )
  useEffect(() => void loadSendBalances(hawser), [hawser])

  function review(event: FormEvent) {
    event.preventDefault()
    if (readiness === 'ready') pushView(hawser, 'WalletSendPreview')
  }
  return (
    <form className="hw-stack hw-send" onSubmit={review} noValidate>
      <div className="hw-send-fields">
        <SendAmountField />
        <span className="hw-send-arrow">
          <ArrowDownIcon size={18} />
        </span>
        <SendReceiverField />
      </div>
      <Button
        type="submit"
        variant="primary"
        wide
        disabled={readiness !== 'ready'}
        data-testid="send-review-button"
      >
        {sendLabels[readiness]}
      </Button>
      {readiness === 'insufficientReserve' && <Reserve />}
      <SendObstacle readiness={readiness} />
    </form>
  )
}

/** Says how much of the native token has to stay with the sender. */
function Reserve() {
  const texts = useTexts()
  const hawser = useHawser()
  const { network } = useNetwork()
  const reserve = useHawserState(hawser.send, (state) => state.fee?.reserve ?? 0n)
  const { decimals, symbol } = network?.nativeCurrency ?? { decimals: 0, symbol: '' }
  return (
    <p className="hw-note" role="status" data-testid="send-reserve">
      {texts.send.reserve(`${formatUnits(reserve, decimals)} ${symbol}`)}
    </p>
  )
}
