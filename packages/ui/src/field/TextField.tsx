import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react'

export interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string
  /** `hidden` keeps the label for screen readers only. */
  labelStyle?: 'above' | 'hidden'
  icon?: ReactNode
  /** Shown after the text: a button, a unit. */
  end?: ReactNode
  error?: string | undefined
  inputRef?: Ref<HTMLInputElement>
}

/** A one-line text field with its label and its error. */
export function TextField({
  label,
  labelStyle = 'hidden',
  icon,
  end,
  error,
  inputRef,
  ...input
}: TextFieldProps) {
  const id = useId()
  return (
    <div className="hw-field" data-state={error ? 'error' : 'idle'}>
      <label htmlFor={id} className={labelStyle === 'hidden' ? 'hw-visually-hidden' : 'hw-field-label'}>
        {label}
      </label>
      <div className="hw-field-box">
        {icon && <span className="hw-field-icon">{icon}</span>}
        <input
          autoComplete="off"
          autoCorrect="off"
          autoCapitalize="none"
          spellCheck={false}
          {...input}
          ref={inputRef}
          id={id}
          className="hw-field-input"
          aria-invalid={error ? true : input['aria-invalid']}
          aria-describedby={error ? `${id}-error` : input['aria-describedby']}
        />
        {end}
      </div>
      {error && (
        <p id={`${id}-error`} className="hw-field-error">
          {error}
        </p>
      )}
    </div>
  )
}
