import type { BuySeller } from '@hawser/core'
import type { Texts } from '@hawser/texts/modal/texts'
import { Tag } from '@hawser/ui'
import { useBuyTexts } from '../../locale/useBuyTexts.ts'

/** The payment methods of a seller, and whether it is a sandbox. */
export function SellerTags({ seller: { fee, isSandbox } }: { seller: Pick<BuySeller, 'fee' | 'isSandbox'> }) {
  const texts = useBuyTexts()
  return (
    <>
      {isSandbox && (
        <span title={texts.sandboxHint}>
          <Tag tone="accent">{texts.sandbox}</Tag>
        </span>
      )}
      {fee && (
        <span title={texts.feeRangeTitle}>
          <Tag>
            <bdi dir="ltr">{feeText(fee, texts)}</bdi>
          </Tag>
        </span>
      )}
    </>
  )
}

function feeText(fee: NonNullable<BuySeller['fee']>, texts: Texts['buy']): string {
  const [min, max] = [trim(fee.min), trim(fee.max)]
  return min === max ? texts.feePercent(max) : texts.feeRange(min, max)
}

/** Drops trailing zeros: `1.00` is `1`. */
function trim(percent: string): string {
  return percent.includes('.') ? percent.replace(/\.?0+$/, '') : percent
}
