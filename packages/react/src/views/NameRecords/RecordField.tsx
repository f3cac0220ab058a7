import { type RecordKind, recordLength, recordProblem } from '@hawser/core'
import { textFor } from '@hawser/texts/translated'
import { type KeyboardEvent, useId } from 'react'
import { useOwnNamesTexts } from '../../locale/useOwnNamesTexts.ts'

export interface RecordFieldProps {
  kind: RecordKind
  value: string
  isBusy: boolean
  onChange: (text: string) => void
}

/** From this share of the maximum length on, the counter is highlighted. */
const NEARLY_FULL = 0.9

/** The field of one record: label, length counter and error. */
export function RecordField({ kind, value, isBusy, onChange }: RecordFieldProps) {
  const texts = useOwnNamesTexts()
  const id = useId()
  const { key, form, maxLength } = kind
  const { labels, record } = texts
  const problem = recordProblem(kind, value)
  const length = recordLength(kind, value)
  const field = {
    id,
    value,
    readOnly: isBusy,
    autoComplete: 'off',
    placeholder: form === 'handle' ? record.handle : textFor(record.placeholders, key),
    'aria-invalid': problem ? true : undefined,
    'aria-describedby': problem ? `${id}-length ${id}-problem` : `${id}-length`,
    'data-testid': `name-record-input-${key}`,
  } as const
  return (
    <div className="hw-field" data-state={problem ? 'error' : 'idle'}>
      <div className="hw-record-head">
        <label className="hw-field-label" htmlFor={id}>
          {textFor(labels, key) ?? key}
        </label>
        <span
          id={`${id}-length`}
          className="hw-record-length"
          data-state={length > maxLength ? 'over' : length >= maxLength * NEARLY_FULL ? 'near' : 'idle'}
          hidden={length === 0}
        >
          {record.count(length, maxLength)}
        </span>
      </div>
      <div className="hw-field-box">
        {maxLength > 64 && form === 'text' ? (
          // Records have no line breaks: pasted ones become spaces, and Enter submits.
          <textarea
            {...field}
            className="hw-field-input hw-record-text"
            rows={2}
            onChange={(event) => onChange(event.target.value.replace(/[\r\n]+/g, ' '))}
            onKeyDown={submitByEnter}
          />
        ) : (
          <input
            {...field}
            className="hw-field-input"
            type="text"
            inputMode={form === 'link' || form === 'picture' ? 'url' : undefined}
            autoCapitalize={form === 'text' ? undefined : 'none'}
            autoCorrect={form === 'text' ? undefined : 'off'}
            spellCheck={form === 'text'}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </div>
      <p id={`${id}-problem`} className="hw-field-error" role="status">
        {problem && record.problems[problem]}
      </p>
    </div>
  )
}

function submitByEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}
