import { type ActivityTransaction, formatUnits, shortenAddress, transactionExplorerUrl } from '@hawser/core'
import { Amount, CopyButton, ExternalIcon } from '@hawser/ui'
import type { ReactNode } from 'react'
import { useNetwork } from '../../../hooks/useNetwork.ts'
import { en } from '../../../locale/en.ts'
import { fullTime } from '../../../parts/relativeTime.ts'
import { assetName } from './describe.ts'
import { TransferAmount } from './TransferAmount.tsx'

const texts = en.activity.details

export interface ActivityDetailsProps {
  id: string
  transaction: ActivityTransaction
}

/** Everything known of a transaction, to the last digit, and the way to an explorer where there is one. */
export function ActivityDetails({ id, transaction }: ActivityDetailsProps) {
  const { network } = useNetwork()
  const { metadata, transfers } = transaction
  const explorer = network?.blockExplorers?.default
  return (
    <div id={id} className="hw-activity-details">
      <ul className="hw-activity-transfers">
        {transfers.map((transfer, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: transfers have no identity and never move
          <li key={index + transfer.direction + assetName(transfer)}>
            <TransferAmount transfer={transfer} operationType={metadata.operationType} precision="exact" />
          </li>
        ))}
      </ul>
      <dl className="hw-details">
        <Detail name={texts.status}>{statusText(metadata.status)}</Detail>
        {metadata.status !== 'pending' && (
          <Detail name={texts.date}>{fullTime(Date.parse(metadata.minedAt))}</Detail>
        )}
        <Detail name={texts.from}>
          <Address address={metadata.sentFrom} />
        </Detail>
        {metadata.sentTo && (
          <Detail name={texts.to}>
            <Address address={metadata.sentTo} />
          </Detail>
        )}
        {metadata.fee && network && (
          <Detail name={texts.fee}>
            <Amount
              value={formatUnits(BigInt(metadata.fee), network.nativeCurrency.decimals)}
              symbol={network.nativeCurrency.symbol}
            />
          </Detail>
        )}
        {metadata.block && <Detail name={texts.block}>{metadata.block}</Detail>}
        <Detail name={texts.hash}>
          <CopyButton text={metadata.hash} label={texts.copyHash}>
            <bdi className="hw-mono">{shortenAddress(metadata.hash, { start: 6, end: 4 })}</bdi>
          </CopyButton>
        </Detail>
      </dl>
      {explorer && metadata.status !== 'pending' && (
        <a
          className="hw-link"
          href={transactionExplorerUrl(network, metadata.hash)}
          target="_blank"
          rel="noopener noreferrer"
        >
          {texts.explorer(explorer.name)}
          <ExternalIcon size={16} />
        </a>
      )}
    </div>
  )
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Address({ address }: { address: string }) {
  return (
    <bdi className="hw-mono" title={address}>
      {shortenAddress(address)}
    </bdi>
  )
}

function statusText(status: string): string {
  if (status === 'pending') return en.activity.pending
  return status === 'failed' ? en.activity.failed : en.activity.confirmed
}
