import type { Ref } from 'react'

export interface CodeFieldProps {
  label: string
  /** Number of digits. */
  length: number
  value: string
  /** Receives decimal digits alone, of any script, at most `length`. */
  onChange: (value: string) => void
  error?: string | undefined
  disabled?: boolean
  inputRef?: Ref<HTMLInputElement>
  'data-testid'?: string
}

/**
 * A field for a code of digits, drawn as a box for each. It is one input, so that pasting, autofill and screen readers
 * work as in any other.
 */
export function CodeField({
  label,
  length,
  value,
  onChange,
  error,
  disabled,
  inputRef,
  ...rest
}: CodeFieldProps) {
  return (
    <div className="hw-code" data-state={error ? 'error' : 'idle'} dir="ltr">
      <input
        {...rest}
        ref={inputRef}
        className="hw-code-input"
        aria-label={label}
        aria-invalid={error ? true : undefined}
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="[0-9]*"
        spellCheck={false}
        readOnly={disabled}
        value={value}
        onChange={(event) =>
          onChange([...event.target.value.replace(/\P{Nd}/gu, '')].slice(0, length).join(''))
        }
      />
      <div className="hw-code-boxes" aria-hidden="true">
        {[...Array(length).keys()].map((place) => (
          <span
            key={place}
            className="hw-code-box"
            data-current={place === Math.min(value.length, length - 1) || undefined}
          >
            {value[place]}
          </span>
        ))}
      </div>
    </div>
  )
}
