import { exactDecimal } from '@hawser/ui'
import { useTexts } from '../../locale/en.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { groupedReading } from './groupedReading.ts'

/** Says below an amount field how its amount is read, where it looks like a number with groups of thousands. */
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
