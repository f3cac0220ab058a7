import { type ReactNode, type SelectHTMLAttributes, type TextareaHTMLAttributes, useId } from 'react'

interface Labelled {
  label: string
  hint?: ReactNode
  error?: string | undefined
}

export interface TextAreaProps extends Labelled, TextareaHTMLAttributes<HTMLTextAreaElement> {}

/** A field of several lines, with its label, hint and error. */
export function TextArea({ label, hint, error, ...area }: TextAreaProps) {
  const id = useId()
  return (
    <div className="hw-field" data-state={error ? 'error' : 'idle'}>
      <label htmlFor={id} className="hw-field-label">
        {label}
      </label>
      <textarea
        rows={4}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...area}
        id={id}
        className="text-area"
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-hint ${id}-error`}
      />
      <Notes id={id} hint={hint} error={error} />
    </div>
  )
}

export interface SelectProps<Value extends string>
  extends Omit<Labelled, 'error'>,
    Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'value'> {
  /** `hidden` keeps the label for screen readers only. */
  labelStyle?: 'above' | 'hidden'
  value: Value
  options: readonly (readonly [value: Value, label: string])[]
  onChange: (value: Value) => void
}

/** A choice of one of several. */
export function Select<Value extends string>({
  label,
  labelStyle = 'above',
  hint,
  value,
  options,
  onChange,
  ...select
}: SelectProps<Value>) {
  const id = useId()
  return (
    <div className="hw-field">
      <label htmlFor={id} className={labelStyle === 'hidden' ? 'hw-visually-hidden' : 'hw-field-label'}>
        {label}
      </label>
      <span className="select">
        <select
          {...select}
          id={id}
          value={value}
          onChange={(event) => onChange(event.target.value as Value)}
          aria-describedby={hint ? `${id}-hint` : undefined}
        >
          {options.map(([each, name]) => (
            <option key={each} value={each}>
              {name}
            </option>
          ))}
        </select>
      </span>
      <Notes id={id} hint={hint} error={undefined} />
    </div>
  )
}

function Notes({ id, hint, error }: { id: string; hint: ReactNode; error: string | undefined }) {
  return (
    <>
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="hw-field-error">
          {error}
        </p>
      )}
    </>
  )
}

export interface SegmentedProps<Value extends string> {
  label: string
  labelStyle?: 'above' | 'hidden'
  value: Value
  options: readonly (readonly [value: Value, label: string])[]
  onChange: (value: Value) => void
}

/** A choice of one of a few, all of which are visible. */
export function Segmented<Value extends string>({
  label,
  labelStyle = 'above',
  value,
  options,
  onChange,
}: SegmentedProps<Value>) {
  const name = useId()
  return (
    <fieldset className="segmented">
      <legend className={labelStyle === 'hidden' ? 'hw-visually-hidden' : 'hw-field-label'}>{label}</legend>
      <div className="segmented-options">
        {options.map(([option, text]) => (
          <label key={option}>
            <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
