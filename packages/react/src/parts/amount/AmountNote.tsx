import { exactDecimal } from '@hawser/ui'
import { useTexts } from '../../locale/en.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { groupedReading } from './groupedReading.ts'

/**
 * Explains below an amount field how the amount is read, if it looks like a number with grouped thousands.
 */
export function AmountNote({ amount }: { amount: string }) {
  const tag = useLocaleTag()
  const texts = useTexts()
  const other = groupedReading(amount)
  return (
    <p className="hw-amount-note" role="status" data-testid="amount-note">
      {other && texts.amountReading(exactDecimal(amount, tag), exactDecimal(other, tag))}
    </p>
  )
}
