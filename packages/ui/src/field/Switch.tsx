export interface SwitchProps {
  label: string
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
  'data-testid'?: string
}

/** A setting that is on or off, with its label. */
export function Switch({ label, checked, disabled, onChange, ...rest }: SwitchProps) {
  return (
    <button
      {...rest}
      type="button"
      role="switch"
      aria-checked={checked}
      disabled={disabled}
      className="hw-switch"
      onClick={() => onChange(!checked)}
    >
      <span className="hw-switch-label">{label}</span>
      <span className="hw-switch-track" />
    </button>
  )
}
