import type { ActivityTransaction, ActivityTransfer } from '@hawser/core'
import {
  AlertIcon,
  ArrowDownIcon,
  ArrowUpIcon,
  AssetIcon,
  CheckIcon,
  ClockIcon,
  ContractIcon,
  type IconProps,
  SwapIcon,
} from '@hawser/ui'
import type { ComponentType } from 'react'
import { TokenMark } from '../../../parts/TokenMark.tsx'
import { assetName, mainTransfers } from './describe.ts'

const directions: Readonly<Record<string, ComponentType<IconProps>>> = {
  receive: ArrowDownIcon,
  mint: ArrowDownIcon,
  claim: ArrowDownIcon,
  send: ArrowUpIcon,
  burn: ArrowUpIcon,
  trade: SwapIcon,
}

/** Operations that are drawn with an icon instead of the mark of a token. */
const contractCalls: ReadonlySet<string> = new Set(['execute', 'deploy'])

export interface ActivityMarkProps {
  transaction: ActivityTransaction
  /** Whether the badge warns instead. */
  isSuspicious: boolean
}

/** The mark of the transferred token, two for a trade, with a badge for direction or status. */
export function ActivityMark({ transaction, isSuspicious }: ActivityMarkProps) {
  const { operationType, status, chain } = transaction.metadata
  const transfers = mainTransfers(transaction)
  const Badge = isSuspicious ? AlertIcon : badgeOf(status, operationType)
  const isCall = contractCalls.has(operationType) && !isSuspicious
  if (isCall || transfers.length === 0) return <ContractMark status={status} Badge={Badge} />
  const size = transfers.length > 1 ? 28 : 40
  return (
    <span className="hw-activity-mark" data-count={transfers.length} aria-hidden="true">
      {transfers.map((transfer) => (
        <TransferMark
          key={transfer.direction + assetName(transfer)}
          transfer={transfer}
          chainId={chain}
          size={size}
        />
      ))}
      <span className="hw-activity-badge" data-status={status}>
        <Badge size={12} />
      </span>
    </span>
  )
}

/** The icon of a transaction that is not shown by what it moved, as of a contract call. */
function ContractMark({ status, Badge }: { status: string; Badge: ComponentType<IconProps> }) {
  return (
    <span className="hw-activity-mark" aria-hidden="true">
      <span className="hw-activity-contract">
        <ContractIcon size={20} />
      </span>
      <span className="hw-activity-badge" data-status={status}>
        <Badge size={12} />
      </span>
    </span>
  )
}

function TransferMark({
  transfer,
  chainId,
  size,
}: {
  transfer: ActivityTransfer
  chainId: string
  size: number
}) {
  const { fungibleInfo, nftInfo } = transfer
  if (!fungibleInfo) {
    return <AssetIcon name={assetName(transfer)} seed={nftInfo?.address} size={size} shape="square" />
  }
  const { icon, address } = fungibleInfo
  const token = {
    symbol: assetName(transfer),
    iconUrl: icon?.url ?? '',
    chainId,
    ...(address && { address }),
  }
  return <TokenMark token={token} size={size} />
}

function badgeOf(status: string, operationType: string): ComponentType<IconProps> {
  if (status === 'pending') return ClockIcon
  if (status === 'failed') return AlertIcon
  return directions[operationType] ?? CheckIcon
}
