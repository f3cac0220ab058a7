import { ChevronDownIcon } from '@hawser/ui'
import { useTexts } from '../locale/useTexts.ts'

export interface HiddenSwitchProps {
  count: number
  isOn: boolean
  onChange: (isOn: boolean) => void
  hideLabel?: string
}

/** A switch that shows hidden entries: "Show hidden (3)". */
export function HiddenSwitch({ count, isOn, onChange, hideLabel }: HiddenSwitchProps) {
  const texts = useTexts()
  return (
    <button
      type="button"
      className="hw-hidden-switch"
      data-testid="show-hidden"
      aria-expanded={isOn}
      onClick={() => onChange(!isOn)}
    >
      {isOn ? (hideLabel ?? texts.hideAgain) : texts.showHidden(count)}
      <ChevronDownIcon size={16} />
    </button>
  )
}
