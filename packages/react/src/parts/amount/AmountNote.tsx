import { exactDecimal } from '@hawser/ui'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useTexts } from '../../locale/useTexts.ts'
import type { TypedAmount } from './useTypedAmount.ts'

/** Explains below an amount field how the amount is read, if its separator may group thousands or not. */
export function AmountNote({ typed: { amount, other } }: { typed: TypedAmount }) {
  const tag = useLocaleTag()
  const texts = useTexts()
  return (
    <p className="hw-amount-note" role="status" data-testid="amount-note">
      {other && amount && texts.amountReading(exactDecimal(amount, tag), exactDecimal(other, tag))}
    </p>
  )
}
