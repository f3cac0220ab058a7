import {
  chooseNameTarget,
  type NameDraft,
  retryNameTarget,
  setNameTarget,
  targetDoubt,
  targetNetwork,
} from '@hawser/core'
import { useRef } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useReceiverCheckTexts } from '../../locale/useReceiverCheckTexts.ts'
import { useContactName } from '../contacts/useContactName.ts'
import { ReceiverDoubt } from '../doubt/ReceiverDoubt.tsx'
import { ReceiverField } from '../ReceiverField.tsx'

export interface TargetFieldProps {
  label: string
  draft: Extract<NameDraft, { kind: 'address' | 'transfer' }>
  isBusy: boolean
  /** Why a valid address cannot be used here. */
  objection?: string | undefined
}

/** The account that a change of a name is about. An address that may be an attacker's has to be chosen. */
export function TargetField({ label, draft, isBusy, objection }: TargetFieldProps) {
  const texts = useReceiverCheckTexts()
  const hawser = useHawser()
  const box = useRef<HTMLDivElement>(null)
  const { text, status, address } = draft.target
  const contact = useContactName(status === 'valid' ? address : undefined)
  const doubt = objection ? undefined : targetDoubt(hawser, draft)
  return (
    <div className="hw-receiver" ref={box} tabIndex={-1}>
      <ReceiverField
        text={text}
        status={status}
        address={address}
        label={label}
        networkName={targetNetwork(hawser)?.name ?? ''}
        isReadOnly={isBusy}
        objection={objection}
        note={contact && texts.isContact(`\u2068${contact}\u2069`)}
        testId="name-target"
        onType={(typed) => void setNameTarget(hawser, typed)}
        onRetry={() => void retryNameTarget(hawser)}
      />
      {doubt && (
        <ReceiverDoubt
          doubt={doubt}
          receiver={address}
          onUseKnown={(known) => {
            void setNameTarget(hawser, known)
            box.current?.focus()
          }}
          onUseNew={() => {
            chooseNameTarget(hawser)
            box.current?.focus()
          }}
        />
      )}
    </div>
  )
}
