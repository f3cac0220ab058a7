import { currentQuote, parseSlippage, type SwapSlippage, setSwapSlippage, slippageBps } from '@hawser/core'
import { readTypedAmount } from '@hawser/texts/format/typedAmount'
import { showTypedDecimal } from '@hawser/texts/format/typedDecimal'
import type { Texts } from '@hawser/texts/modal/texts'
import { ChevronDownIcon } from '@hawser/ui'
import { useId, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useSwapTexts } from '../../locale/useSwapTexts.ts'
import { formatPercent } from '../../parts/percent.ts'

/** In basis points. */
const choices: readonly SwapSlippage[] = ['auto', 10, 50, 100]

/**
 * In basis points. Below the first limit a swap often reverts; above the second it can be front-run at a
 * profit.
 */
const LOW_BPS = 10
const HIGH_BPS = 300

/** The slippage tolerance, with its settings when expanded. */
export function SlippageRow() {
  const tag = useLocaleTag()
  const texts = useSwapTexts().slippage
  const swapTexts = useSwapTexts()
  const hawser = useHawser()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const swap = useHawserState(hawser.swap, (state) => state)
  const percent = formatPercent(slippageBps(swap.slippage, currentQuote(swap)) / 100, tag)
  return (
    <div className="hw-slippage-row">
      <dt>{swapTexts.rows.slippage}</dt>
      <dd>
        <button
          type="button"
          className="hw-slippage-open"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          data-testid="swap-slippage-button"
          onClick={() => setOpen(!isOpen)}
        >
          {swap.slippage === 'auto' && <span className="hw-swap-faint">{texts.auto} · </span>}
          {percent}
          <span className="hw-visually-hidden">{swapTexts.change}</span>
          <span className="hw-swap-chevron" data-state={isOpen ? 'open' : 'closed'}>
            <ChevronDownIcon size={16} />
          </span>
        </button>
      </dd>
      {isOpen && (
        <dd id={id}>
          <SlippageChoice />
        </dd>
      )}
    </div>
  )
}

/** Sets the slippage tolerance: presets, or a custom value. */
function SlippageChoice() {
  const tag = useLocaleTag()
  const texts = useSwapTexts().slippage
  const hawser = useHawser()
  const name = useId()
  const slippage = useHawserState(hawser.swap, (state) => state.slippage)
  const isUsual = choices.includes(slippage)
  const [custom, setCustom] = useState(isUsual ? '' : showTypedDecimal(String(Number(slippage) / 100), tag))
  const isInvalid = custom !== '' && readSlippage(custom, tag) === undefined
  const note = isInvalid ? texts.invalid : noteOn(slippage, texts)

  function typeCustom(text: string) {
    setCustom(text)
    const typed = readSlippage(text, tag)
    if (typed !== undefined) setSwapSlippage(hawser, typed)
  }

  function choose(choice: SwapSlippage) {
    setCustom('')
    setSwapSlippage(hawser, choice)
  }
  return (
    <fieldset className="hw-slippage" data-testid="swap-slippage">
      <legend className="hw-visually-hidden">{texts.legend}</legend>
      <div className="hw-slippage-choices">
        {choices.map((choice) => (
          <label key={choice} className="hw-slippage-choice">
            <input
              type="radio"
              name={name}
              checked={custom === '' && choice === slippage}
              data-testid={`swap-slippage-${choice}`}
              onChange={() => choose(choice)}
            />
            <span>{choice === 'auto' ? texts.auto : formatPercent(choice / 100, tag)}</span>
          </label>
        ))}
        <span className="hw-slippage-custom" data-state={isInvalid ? 'error' : custom ? 'chosen' : 'idle'}>
          <input
            inputMode="decimal"
            autoComplete="off"
            aria-label={texts.customLabel}
            aria-invalid={isInvalid || undefined}
            aria-describedby={note ? `${name}-note` : undefined}
            placeholder={texts.custom}
            value={custom}
            data-testid="swap-slippage-custom"
            onChange={(event) => typeCustom(event.target.value.trim())}
          />
          {custom && <span aria-hidden="true">%</span>}
        </span>
      </div>
      {note && (
        <p id={`${name}-note`} className="hw-slippage-note" data-state={isInvalid ? 'error' : 'warning'}>
          {note}
        </p>
      )}
    </fieldset>
  )
}

/** Reads a tolerance in percent as it is typed in a language, as hundredths of a percent. */
function readSlippage(typed: string, tag: string): number | undefined {
  return parseSlippage(readTypedAmount(typed, tag) ?? '')
}

function noteOn(slippage: SwapSlippage, texts: Texts['swap']['slippage']): string | undefined {
  if (slippage === 'auto') return undefined
  if (slippage < LOW_BPS) return texts.low
  return slippage > HIGH_BPS ? texts.high : undefined
}
