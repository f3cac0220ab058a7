import type { BuySeller } from '@hawser/core'
import { Tag } from '@hawser/ui'
import { enBuy } from '../../locale/enBuy.ts'

/** The payment methods of a seller, and whether it is a sandbox. */
export function SellerTags({ seller: { fee, isSandbox } }: { seller: Pick<BuySeller, 'fee' | 'isSandbox'> }) {
  return (
    <>
      {isSandbox && (
        <span title={enBuy.sandboxHint}>
          <Tag tone="accent">{enBuy.sandbox}</Tag>
        </span>
      )}
      {fee && (
        <span title={enBuy.feeRangeTitle}>
          <Tag>{enBuy.feeRange(trim(fee.min), trim(fee.max))}</Tag>
        </span>
      )}
    </>
  )
}

/** Drops trailing zeros: `1.00` is `1`. */
function trim(percent: string): string {
  return percent.includes('.') ? percent.replace(/\.?0+$/, '') : percent
}
