import { setTypedName } from '@hawser/core'
import { TextField } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useOwnNamesTexts } from '../../locale/useOwnNamesTexts.ts'
import { ChangeFoot } from '../../parts/names/ChangeFoot.tsx'
import { Consequences } from '../../parts/names/Consequences.tsx'
import { useChange } from '../../parts/names/useChange.ts'

/** The form that releases a name, after the name was typed to confirm. */
export function NameReleaseView() {
  const texts = useOwnNamesTexts()
  const hawser = useHawser()
  const open = useChange('release')
  if (!open) return null
  const { record, change, draft, readiness, isBusy, submit } = open
  const { lead, consequences, confirm, action } = texts.releasing
  return (
    <form className="hw-stack" onSubmit={submit} noValidate>
      <Consequences lead={lead(record.name)} consequences={consequences} />
      <TextField
        label={confirm(record.name)}
        labelStyle="above"
        dir="ltr"
        value={draft.typed}
        readOnly={isBusy}
        data-testid="name-release-input"
        onChange={(event) => setTypedName(hawser, event.target.value)}
      />
      <ChangeFoot change={change} readiness={readiness} label={action} variant="danger" />
    </form>
  )
}
