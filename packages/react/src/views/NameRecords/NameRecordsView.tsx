import { type RecordKind, recordKinds, setRecord } from '@hawser/core'
import { type ReactNode, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useOwnNamesTexts } from '../../locale/useOwnNamesTexts.ts'
import { ChangeFoot } from '../../parts/names/ChangeFoot.tsx'
import { useChange } from '../../parts/names/useChange.ts'
import { RecordField } from './RecordField.tsx'

/** How many fields are shown before "More". */
const USUAL_RECORDS = 7

/** The form that edits the records of a name. */
export function NameRecordsView() {
  const texts = useOwnNamesTexts()
  const hawser = useHawser()
  const open = useChange('records')
  if (!open) return null
  const { record, change, draft, readiness, isBusy, submit } = open
  const attributes = { ...record.attributes, ...draft.attributes }
  const fieldOf = (kind: RecordKind) => (
    <RecordField
      key={kind.key}
      kind={kind}
      value={attributes[kind.key] ?? ''}
      isBusy={isBusy}
      onChange={(text) => setRecord(hawser, kind.key, text)}
    />
  )
  const more = recordKinds.slice(USUAL_RECORDS)
  return (
    <form className="hw-stack hw-records-form" onSubmit={submit} noValidate>
      <p className="hw-lead">{texts.record.public}</p>
      {recordKinds.slice(0, USUAL_RECORDS).map(fieldOf)}
      <MoreRecords isFilled={more.some(({ key }) => attributes[key])}>{more.map(fieldOf)}</MoreRecords>
      <ChangeFoot change={change} readiness={readiness} label={texts.record.save} />
    </form>
  )
}

/** Expanded initially when one of its records is set. */
function MoreRecords({ isFilled, children }: { isFilled: boolean; children: ReactNode }) {
  const texts = useOwnNamesTexts()
  const [isOpen, setOpen] = useState(isFilled)
  return (
    <details
      className="hw-records-more"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{texts.record.more}</summary>
      <div className="hw-stack">{children}</div>
    </details>
  )
}
