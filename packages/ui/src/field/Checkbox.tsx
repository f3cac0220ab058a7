import type { ReactNode } from 'react'
import { CheckIcon } from '../icons/icons.tsx'

export interface CheckboxProps {
  checked: boolean
  onChange: (checked: boolean) => void
  /** The sentence agreed to; may hold links. */
  children: ReactNode
  'data-testid'?: string
}

/** A native checkbox with a sentence. */
export function Checkbox({ checked, onChange, children, ...rest }: CheckboxProps) {
  return (
    <label className="hw-checkbox">
      <input
        {...rest}
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="hw-checkbox-box">
        <CheckIcon size={14} />
      </span>
      <span>{children}</span>
    </label>
  )
}
