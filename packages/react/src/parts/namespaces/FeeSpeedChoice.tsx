import { type FeeSpeed, setFeeSpeed } from '@hawser/core'
import { useId } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useOtherChainsTexts } from '../../locale/useOtherChainsTexts.ts'

const speeds: readonly FeeSpeed[] = ['slow', 'normal', 'fast']

/** How soon a Bitcoin transaction should be in a block, with the fee rate of the choice. */
export function FeeSpeedChoice() {
  const tag = useLocaleTag()
  const texts = useOtherChainsTexts().speed
  const hawser = useHawser()
  const name = useId()
  const speed = useHawserState(hawser.send, (state) => state.feeSpeed)
  const terms = useHawserState(hawser.send, (state) => state.fee?.terms)
  return (
    <fieldset className="hw-speeds" data-testid="send-fee-speed">
      <legend className="hw-visually-hidden">{texts.legend}</legend>
      {speeds.map((choice) => (
        <label key={choice} className="hw-speed">
          <input
            type="radio"
            className="hw-visually-hidden"
            name={name}
            checked={choice === speed}
            data-testid={`send-fee-speed-${choice}`}
            onChange={() => void setFeeSpeed(hawser, choice)}
          />
          <span>{texts[choice]}</span>
          {choice === speed && terms?.namespace === 'bip122' && (
            <small>{texts.rate(terms.feeRate.toLocaleString(tag))}</small>
          )}
        </label>
      ))}
    </fieldset>
  )
}
