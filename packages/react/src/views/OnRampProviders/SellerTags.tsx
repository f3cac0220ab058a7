import type { BuySeller } from '@hawser/core'
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
            <bdi dir="ltr">{texts.feeRange(trim(fee.min), trim(fee.max))}</bdi>
          </Tag>
        </span>
      )}
    </>
  )
}

/** Drops trailing zeros: `1.00` is `1`. */
function trim(percent: string): string {
  return percent.includes('.') ? percent.replace(/\.?0+$/, '') : percent
}
