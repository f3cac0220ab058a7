import type { ReactNode } from 'react'
import { CheckIcon } from '../icons/icons.tsx'

export interface CheckboxProps {
  checked: boolean
  onChange: (checked: boolean) => void
  /** The label; may contain links. */
  children: ReactNode
  'data-testid'?: string
}

/** A native checkbox with a label. */
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
