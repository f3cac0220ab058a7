import {
  acceptMovedReceiver,
  chooseReceiver,
  formatUnits,
  receiverWarning,
  resolveReceiver,
  sendReadiness,
  setReceiver,
} from '@hawser/core'
import { useRef } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useReceiverCheckTexts } from '../../locale/useReceiverCheckTexts.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { useReceiverFeature } from '../../modal/receiverFeature.ts'
import { useContactName } from '../../parts/contacts/useContactName.ts'
import { ReceiverDoubt } from '../../parts/doubt/ReceiverDoubt.tsx'
import { ReceiverField } from '../../parts/ReceiverField.tsx'
import { useReceiverCheck } from './useReceiverCheck.ts'

/** The receiver of the draft that is about to be sent. An address that may be an attacker's has to be chosen. */
export function SendReceiverField() {
  const checkTexts = useReceiverCheckTexts()
  const box = useRef<HTMLDivElement>(null)
  const { check, doubt } = useReceiverCheck()
  const texts = useTexts()
  const hawser = useHawser()
  const parts = useReceiverFeature(true)
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
  const contact = useContactName(status === 'valid' ? address : undefined)
  const withChain = useHawserState(hawser.send, (state) => state.receiverWithChain)
  const objection = useHawserState(hawser.send, (state) => state.receiverObjection)
  const invalidText = objection
    ? parts && <parts.Objection objection={objection} />
    : kind && texts.send.otherAddress[kind]
  const text = withChain?.text ?? name ?? typed ?? address
  const checkNote = check?.kind === 'first' || check?.kind === 'unread' ? checkTexts[check.kind] : undefined
  const warning = useHawserState(hawser.send, (state) => receiverWarning(state))
  const lost = warning && texts.preview.warnings[warning]
  /** Keeps the focus where the choice disappears. */
  function refocus() {
    box.current?.focus()
  }

  function whole(amount: bigint): string {
    const { decimals, symbol } = network?.nativeCurrency ?? { decimals: 0, symbol: '' }
    return `${formatUnits(amount, decimals)} ${symbol}`
  }
  return (
    <div className="hw-receiver" ref={box} tabIndex={-1}>
      <ReceiverField
        label={texts.send.to}
        accessibleName={texts.send.address}
        text={text}
        status={status}
        address={address}
        {...(invalidText && { invalidText })}
        objection={minimum === undefined ? lost : texts.send.minimum(whole(minimum))}
        note={contact ? checkTexts.isContact(`\u2068${contact}\u2069`) : checkNote}
        suggestions={parts && ((field) => <parts.ReceiverSuggestions field={field} typed={text} />)}
        action={parts && <parts.ChooseContact />}
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
      {parts && <parts.FollowReceiver onFollowed={refocus} />}
      {doubt && (
        <ReceiverDoubt
          doubt={doubt}
          receiver={address}
          onUseKnown={(known) => {
            void setReceiver(hawser, known)
            refocus()
          }}
          onUseNew={() => {
            chooseReceiver(hawser)
            refocus()
          }}
        />
      )}
    </div>
  )
}
