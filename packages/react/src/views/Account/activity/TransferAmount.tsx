import type { ActivityTransfer } from '@hawser/core'
import { Amount } from '@hawser/ui'
import { useTexts } from '../../../locale/useTexts.ts'
import { assetName, isUnlimited, signOf } from './describe.ts'

export interface TransferAmountProps {
  transfer: ActivityTransfer
  operationType: string
  precision?: 'short' | 'exact'
}

/** "+1.5 ETH": sign, amount and symbol of a transfer. An ERC-721 token has no amount. */
export function TransferAmount({ transfer, operationType, precision = 'short' }: TransferAmountProps) {
  const texts = useTexts()
  const name = assetName(transfer)
  const { numeric } = transfer.quantity
  const isSingle = transfer.nftInfo?.standard === 'erc721' || (transfer.nftInfo && numeric === '1')
  return (
    <span
      className="hw-transfer-amount"
      dir="ltr"
      data-direction={operationType === 'approve' || transfer.spam ? 'none' : transfer.direction}
      data-precision={precision}
    >
      {signOf(transfer, operationType)}
      {isUnlimited(transfer, operationType) ? (
        <bdi>
          {texts.activity.unlimited} {name}
        </bdi>
      ) : isSingle ? (
        <bdi title={name}>{name}</bdi>
      ) : (
        <Amount value={numeric} symbol={name} precision={precision} />
      )}
    </span>
  )
}
