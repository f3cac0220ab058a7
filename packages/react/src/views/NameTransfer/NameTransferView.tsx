import { useOwnNamesTexts } from '../../locale/useOwnNamesTexts.ts'
import { ChangeFoot } from '../../parts/names/ChangeFoot.tsx'
import { Consequences } from '../../parts/names/Consequences.tsx'
import { TargetField } from '../../parts/names/TargetField.tsx'
import { useChange } from '../../parts/names/useChange.ts'

/** The form that transfers a name to another account. */
export function NameTransferView() {
  const texts = useOwnNamesTexts()
  const open = useChange('transfer')
  if (!open) return null
  const { record, change, draft, readiness, isBusy, submit } = open
  const { lead, consequences, action } = texts.transferring
  return (
    <form className="hw-stack" onSubmit={submit} noValidate>
      <Consequences lead={lead(record.name)} consequences={consequences} />
      <TargetField
        label={texts.target.to}
        draft={draft}
        isBusy={isBusy}
        objection={readiness === 'ownAddress' ? texts.target.own : undefined}
      />
      <ChangeFoot change={change} readiness={readiness} label={action} variant="danger" />
    </form>
  )
}
