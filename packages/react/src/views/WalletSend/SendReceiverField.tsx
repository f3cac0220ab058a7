import {
  acceptMovedReceiver,
  formatUnits,
  type ReceiverObjection,
  receiverWarning,
  resolveReceiver,
  sendReadiness,
  setReceiver,
} from '@hawser/core'
import type { Texts } from '@hawser/texts/modal/texts'
import { useRef } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useReceiverCheckTexts } from '../../locale/useReceiverCheckTexts.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { ReceiverField } from '../../parts/ReceiverField.tsx'
import { FollowReceiver } from './FollowReceiver.tsx'
import { ReceiverDoubt } from './ReceiverDoubt.tsx'
import { useReceiverCheck } from './useReceiverCheck.ts'

/** The receiver of the draft that is about to be sent. An address that may be an attacker's has to be chosen. */
export function SendReceiverField() {
  const checkTexts = useReceiverCheckTexts()
  const box = useRef<HTMLDivElement>(null)
  const { check, doubt } = useReceiverCheck()
  const texts = useTexts()
  const hawser = useHawser()
  const { network } = useNetwork()
  const address = useHawserState(hawser.send, (state) => state.receiverAddress)
  const name = useHawserState(hawser.send, (state) => state.receiverProfileName)
  const status = useHawserState(hawser.send, (state) => state.receiverStatus)
  const typed = useHawserState(hawser.send, (state) => state.receiverTyped)
  const minimum = useHawserState(hawser.send, (state) =>
    sendReadiness(state) === 'belowMinimum' ? state.fee?.minimum : undefined,
  )
  const kind = useHawserState(hawser.send, (state) => state.receiverKind)
  const hasNames = network?.chainNamespace === 'eip155' || network?.chainNamespace === 'solana'
  const withChain = useHawserState(hawser.send, (state) => state.receiverWithChain)
  const objection = useHawserState(hawser.send, (state) => state.receiverObjection)
  // A mistyped address of the active namespace is only invalid.
  const isOther = kind !== undefined && kind !== network?.chainNamespace
  const invalidText = objection
    ? objectionText(objection, texts.send.request, checkTexts)
    : isOther
      ? texts.send.otherAddress[kind]
      : undefined
  const warning = useHawserState(hawser.send, (state) => receiverWarning(state))
  const lost = warning && texts.preview.warnings[warning]
  function whole(amount: bigint): string {
    const { decimals, symbol } = network?.nativeCurrency ?? { decimals: 0, symbol: '' }
    return `${formatUnits(amount, decimals)} ${symbol}`
  }
  return (
    <div className="hw-receiver" ref={box} tabIndex={-1}>
      <ReceiverField
        label={texts.send.to}
        accessibleName={texts.send.address}
        text={withChain?.text ?? name ?? typed ?? address}
        status={status}
        address={address}
        {...(invalidText && { invalidText })}
        objection={minimum === undefined ? lost : texts.send.minimum(whole(minimum))}
        note={check?.kind === 'first' || check?.kind === 'unread' ? checkTexts[check.kind] : undefined}
        networkName={network?.name ?? ''}
        onNetwork={
          withChain?.network && status === 'valid' ? checkTexts.onNetwork(withChain.network) : undefined
        }
        {...(!hasNames && { placeholder: texts.send.addressOnlyPlaceholder })}
        testId="send-address"
        onType={(text) => void setReceiver(hawser, text)}
        onRetry={() => void resolveReceiver(hawser)}
        onAcceptMoved={() => void acceptMovedReceiver(hawser)}
      />
      {objection?.kind === 'elsewhere' && objection.target && (
        <FollowReceiver network={objection.target} onFollowed={() => box.current?.focus()} />
      )}
      {doubt && <ReceiverDoubt doubt={doubt} onChosen={() => box.current?.focus()} />}
    </div>
  )
}

function objectionText(
  objection: ReceiverObjection,
  request: Texts['base']['send']['request'],
  texts: Texts['receiverCheck'],
): string {
  switch (objection.kind) {
    case 'otherNetwork':
      return request.otherNetwork(objection.network)
    case 'tokenNotHeld':
      return request.tokenNotHeld
    case 'elsewhere':
      return texts.elsewhere(objection.network)
    case 'unknownChain':
      return texts.unknownChain(objection.chain)
    case 'wrongChecksum':
      return texts.wrongChecksum
  }
}
