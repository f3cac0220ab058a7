import { type NameTarget, retryNameTarget, setNameTarget, thrown } from '@hawser/core'
import { Button, PasteIcon, Spinner } from '@hawser/ui'
import { useId, useRef, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { en } from '../../locale/en.ts'
import { enOwnNames } from '../../locale/enOwnNames.ts'

export interface TargetFieldProps {
  label: string
  target: NameTarget
  isBusy: boolean
  /** Why the address will not do, although it is one. */
  objection?: string | undefined
}

/** An account by address or name, typed or pasted; below a name the whole address it leads to. */
export function TargetField({ label, target, isBusy, objection }: TargetFieldProps) {
  const hawser = useHawser()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [pasteFailed, setPasteFailed] = useState(false)
  const { text, status } = target
  const isWrong = ['invalid', 'unknownName', 'unresolved'].includes(status) || objection !== undefined

  function onChange(typed: string) {
    setPasteFailed(false)
    void setNameTarget(hawser, typed.replace(/\s/g, ''))
  }

  async function paste() {
    field.current?.focus()
    try {
      onChange(await navigator.clipboard.readText())
    } catch {
      setPasteFailed(true)
    }
  }

  return (
    <div className="hw-send-box" data-state={isWrong ? 'error' : 'idle'}>
      <div className="hw-send-line">
        <label className="hw-send-label" htmlFor={id}>
          {label}
        </label>
        {text === '' && (
          <Button
            size="small"
            variant="quiet"
            icon={<PasteIcon size={16} />}
            className="hw-paste"
            onClick={paste}
          >
            {en.send.paste}
          </Button>
        )}
      </div>
      {/* Two lines: a whole address stays readable, so that it can be compared. */}
      <textarea
        id={id}
        ref={field}
        className="hw-send-address"
        dir="ltr"
        rows={2}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        readOnly={isBusy}
        aria-invalid={isWrong || undefined}
        aria-describedby={`${id}-outcome`}
        placeholder={en.send.addressPlaceholder}
        value={text}
        data-testid="name-target-input"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          event.currentTarget.form?.requestSubmit()
        }}
      />
      <div id={`${id}-outcome`} className="hw-send-resolved" role="status" data-testid="name-target-outcome">
        <Outcome target={target} objection={objection} />
        {pasteFailed && <span className="hw-field-error">{en.send.pasteFailed}</span>}
      </div>
    </div>
  )
}

/** Where a name leads, or what is wrong with what was typed. */
function Outcome({ target, objection }: { target: NameTarget; objection: string | undefined }) {
  const hawser = useHawser()
  const { text, status, address } = target
  if (status === 'invalid') return <span className="hw-field-error">{enOwnNames.target.invalid}</span>
  if (status === 'unknownName') return <span className="hw-field-error">{en.send.unknownName}</span>
  if (status === 'unresolved') {
    return (
      <>
        <span className="hw-field-error">{thrown.nameResolutionFailed}</span>
        <Button size="small" variant="quiet" onClick={() => void retryNameTarget(hawser)}>
          {en.tryAgain}
        </Button>
      </>
    )
  }
  if (status === 'resolving') {
    return (
      <>
        <Spinner size={16} />
        {en.send.resolving}
      </>
    )
  }
  const shown = address !== text && address !== ''
  if (!objection && !shown) return null
  return (
    <span className="hw-target-outcome">
      {shown && (
        <span className="hw-mono" dir="ltr">
          {address}
        </span>
      )}
      {objection && <span className="hw-field-error">{objection}</span>}
    </span>
  )
}
