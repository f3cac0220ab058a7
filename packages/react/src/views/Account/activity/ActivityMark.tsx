import type { ActivityTransaction, ActivityTransfer } from '@hawser/core'
import {
  AlertIcon,
  ArrowDownIcon,
  ArrowUpIcon,
  AssetIcon,
  CheckIcon,
  ClockIcon,
  type IconProps,
  SwapIcon,
} from '@hawser/ui'
import type { ComponentType } from 'react'
import { assetName, mainTransfers } from './describe.ts'

const directions: Readonly<Record<string, ComponentType<IconProps>>> = {
  receive: ArrowDownIcon,
  mint: ArrowDownIcon,
  claim: ArrowDownIcon,
  send: ArrowUpIcon,
  burn: ArrowUpIcon,
  trade: SwapIcon,
}

/** What moved, two overlapping marks for a trade, with a badge of where it went or how it stands. */
export function ActivityMark({ transaction }: { transaction: ActivityTransaction }) {
  const { operationType, status } = transaction.metadata
  const transfers = mainTransfers(transaction)
  const size = transfers.length > 1 ? 28 : 40
  const Badge = transaction.spam ? AlertIcon : badgeOf(status, operationType)
  return (
    <span className="hw-activity-mark" data-count={transfers.length} aria-hidden="true">
      {transfers.map((transfer) => (
        <TransferMark key={transfer.direction + assetName(transfer)} transfer={transfer} size={size} />
      ))}
      <span className="hw-activity-badge" data-status={status}>
        <Badge size={12} />
      </span>
    </span>
  )
}

function TransferMark({ transfer, size }: { transfer: ActivityTransfer; size: number }) {
  return (
    <AssetIcon
      name={assetName(transfer)}
      src={transfer.fungible_info?.icon?.url || undefined}
      size={size}
      shape={transfer.nft_info ? 'square' : 'circle'}
    />
  )
}

function badgeOf(status: string, operationType: string): ComponentType<IconProps> {
  if (status === 'pending') return ClockIcon
  if (status === 'failed') return AlertIcon
  return directions[operationType] ?? CheckIcon
}
