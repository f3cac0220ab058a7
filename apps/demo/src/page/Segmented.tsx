import { useId } from 'react'

export interface SegmentedProps<Value extends string> {
  label: string
  value: Value
  options: readonly Value[]
  onChange: (value: Value) => void
}

/** A segmented control. */
export function Segmented<Value extends string>({ label, value, options, onChange }: SegmentedProps<Value>) {
  const name = useId()
  return (
    <fieldset className="segmented">
      <legend>{label}</legend>
      <div className="segmented-options">
        {options.map((option) => (
          <label key={option}>
            <input
              type="radio"
              name={name}
              checked={option === value}
              data-testid={`${label.toLowerCase()}-${option}`}
              onChange={() => onChange(option)}
            />
            <span>{option}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
