import { type ActivityTransaction, shortenAddress } from '@hawser/core'
import { Tag } from '@hawser/ui'
import { useId, useState } from 'react'
import { en } from '../../../locale/en.ts'
import { fullTime, relativeTime } from '../../../parts/relativeTime.ts'
import { ActivityDetails } from './ActivityDetails.tsx'
import { ActivityMark } from './ActivityMark.tsx'
import { counterparty, mainTransfers, titleOf } from './describe.ts'
import { TransferAmount } from './TransferAmount.tsx'

export interface ActivityRowProps {
  transaction: ActivityTransaction
  /** Unix milliseconds. */
  now: number
}

/** One transaction in a line; choosing it shows every digit of it. */
export function ActivityRow({ transaction, now }: ActivityRowProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { metadata, transfers } = transaction
  const main = mainTransfers(transaction)
  const at = Date.parse(metadata.minedAt)
  return (
    <li className="hw-list-item" data-testid={`activity-${metadata.hash}`} data-status={metadata.status}>
      <button
        type="button"
        className="hw-row"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <ActivityMark transaction={transaction} />
        <span className="hw-row-text">
          <span className="hw-row-title">{titleOf(transaction)}</span>
          <span className="hw-row-subtitle">
            <Whom transaction={transaction} />
          </span>
        </span>
        <span className="hw-activity-end">
          {main.map((transfer) => (
            <TransferAmount
              key={transfer.direction}
              transfer={transfer}
              operationType={metadata.operationType}
            />
          ))}
          <span className="hw-activity-when">
            {transfers.length > Math.max(2, main.length) && (
              <span>{en.activity.more(transfers.length - main.length)}</span>
            )}
            <StatusTag status={metadata.status} />
            {metadata.status !== 'pending' && main.length < 2 && (
              <time dateTime={metadata.minedAt} title={fullTime(at)}>
                {relativeTime(at, now) ?? en.activity.justNow}
              </time>
            )}
          </span>
        </span>
      </button>
      {isOpen && <ActivityDetails id={id} transaction={transaction} />}
    </li>
  )
}

function StatusTag({ status }: { status: string }) {
  if (status === 'pending') return <Tag tone="accent">{en.activity.pending}</Tag>
  if (status === 'failed') return <Tag tone="warning">{en.activity.failed}</Tag>
  return null
}

/** Whom it went to or came from; the contract's name where one is known. */
function Whom({ transaction }: { transaction: ActivityTransaction }) {
  const { application } = transaction.metadata
  const address = counterparty(transaction)
  if (application?.name) return <span title={address}>{application.name}</span>
  if (!address) return null
  const short = shortenAddress(address, { start: 4, end: 4 })
  const isIncoming = transaction.transfers[0]?.direction === 'in'
  return <bdi title={address}>{isIncoming ? en.activity.from(short) : en.activity.to(short)}</bdi>
}
