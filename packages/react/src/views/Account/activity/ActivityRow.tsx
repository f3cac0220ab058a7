import { type ActivityTransaction, type ActivityTransfer, shortenAddress } from '@hawser/core'
import type { Texts } from '@hawser/texts/modal/texts'
import { textFor } from '@hawser/texts/translated'
import { Tag } from '@hawser/ui'
import { useId, useState } from 'react'
import { useLocaleTag } from '../../../locale/shownLocale.ts'
import { useTexts } from '../../../locale/useTexts.ts'
import { useContactName } from '../../../parts/contacts/useContactName.ts'
import { fullTime, relativeTime } from '../../../parts/relativeTime.ts'
import { ActivityDetails } from './ActivityDetails.tsx'
import { ActivityMark } from './ActivityMark.tsx'
import { contractOf, counterparty, isClaimed, mainTransfers, movedTransfers, titleOf } from './describe.ts'
import { TransferAmount } from './TransferAmount.tsx'

export interface ActivityRowProps {
  transaction: ActivityTransaction
  /** Whether its address looks like another one of the history: see `isPoisoned`. */
  isPoisoned: boolean
  /** Unix milliseconds. */
  now: number
}

/** One transaction in a row; choosing it expands its details. */
export function ActivityRow({ transaction, isPoisoned, now }: ActivityRowProps) {
  const tag = useLocaleTag()
  const texts = useTexts()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { metadata } = transaction
  const transfers = movedTransfers(transaction)
  const main = mainTransfers(transaction)
  const at = Date.parse(metadata.minedAt)
  return (
    <li
      className="hw-list-item"
      data-testid={`activity-${metadata.hash}`}
      data-status={metadata.status}
      data-poisoned={isPoisoned || undefined}
    >
      <button
        type="button"
        className="hw-row"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <ActivityMark transaction={transaction} isSuspicious={isPoisoned || transaction.spam} />
        <span className="hw-row-text">
          <span className="hw-row-title">{titleOf(transaction, texts.activity)}</span>
          <span className="hw-row-subtitle">
            {isPoisoned && !isClaimed(transaction) ? (
              texts.activity.fromLookAlike
            ) : (
              <Whom transaction={transaction} />
            )}
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
              <span>{texts.activity.more(transfers.length - main.length)}</span>
            )}
            <WarningTag transfers={main} />
            <StatusTag status={metadata.status} />
            {metadata.status !== 'pending' && main.length < 2 && !isClaimed(transaction) && (
              <time dateTime={metadata.minedAt} title={fullTime(at, tag)}>
                {relativeTime(at, now, tag) ?? texts.activity.justNow}
              </time>
            )}
          </span>
        </span>
      </button>
      {isOpen && <ActivityDetails id={id} transaction={transaction} isPoisoned={isPoisoned} />}
    </li>
  )
}

function StatusTag({ status }: { status: string }) {
  const texts = useTexts()
  if (status === 'pending') return <Tag tone="accent">{texts.activity.pending}</Tag>
  if (status === 'failed') return <Tag tone="warning">{texts.activity.failed}</Tag>
  return null
}

/** The warning about the name of a transferred token. */
function WarningTag({ transfers }: { transfers: readonly ActivityTransfer[] }) {
  const texts = useTexts()
  const warning = transfers.map(({ fungibleInfo }) => fungibleInfo?.warning).find(Boolean)
  return warning ? <Tag tone="warning">{textFor(texts.activity.warnings, warning) ?? warning}</Tag> : null
}

/** The other party of a transfer, by its name if it is a contact. For an unverified transfer it is the token, which can name any address. */
function Whom({ transaction }: { transaction: ActivityTransaction }) {
  const texts = useTexts()
  const [first] = transaction.transfers
  const isUnverified = isClaimed(transaction)
  const address = isUnverified ? first && contractOf(first) : counterparty(transaction)
  const contact = useContactName(isUnverified ? undefined : address)
  if (!address) return null
  const who = contact ? `\u2068${contact}\u2069` : shortenAddress(address)
  return <bdi title={address}>{whomText(transaction, who, texts.activity)}</bdi>
}

function whomText(transaction: ActivityTransaction, who: string, texts: Texts['base']['activity']): string {
  const { transfers, metadata } = transaction
  if (isClaimed(transaction) || metadata.operationType === 'deploy') return who
  return transfers[0]?.direction === 'in' ? texts.from(who) : texts.to(who)
}
