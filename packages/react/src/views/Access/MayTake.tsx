import type { Approval } from '@hawser/core'
import { Amount } from '@hawser/ui'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useAccessTexts } from '../../locale/useAccessTexts.ts'
import { expiryOf, mayTakeText, wholeAmount } from './describe.ts'

export interface MayTakeProps {
  approval: Approval
  /** `exact` shows every digit. */
  precision?: 'short' | 'exact'
}

/** What a spender may take, and until when if that ends: "Unlimited · until Jan 1, 2030". */
export function MayTake({ approval, precision = 'short' }: MayTakeProps) {
  const tag = useLocaleTag()
  const texts = useAccessTexts()
  const { allowance, token } = approval
  const expiry = expiryOf(approval)
  return (
    <>
      {mayTakeText(approval, texts) ?? (
        <Amount value={wholeAmount(approval, allowance)} symbol={token.symbol} precision={precision} />
      )}
      {expiry !== undefined &&
        ` · ${texts.until(new Intl.DateTimeFormat(tag, { dateStyle: 'medium' }).format(expiry))}`}
    </>
  )
}
