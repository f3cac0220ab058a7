import { type ActivityTransaction, type ActivityTransfer, formatUnits } from '@hawser/core'
import type { Texts } from '@hawser/texts/modal/texts'
import { textFor } from '@hawser/texts/translated'
import { AlertIcon, Amount } from '@hawser/ui'
import { useNetwork } from '../../../hooks/useNetwork.ts'
import { useLocaleTag } from '../../../locale/shownLocale.ts'
import { useTexts } from '../../../locale/useTexts.ts'
import { AddressExplorerLink } from '../../../parts/AddressExplorerLink.tsx'
import { Fact } from '../../../parts/Fact.tsx'
import { fullTime } from '../../../parts/relativeTime.ts'
import { ExplorerLink, HashFact } from '../../../parts/TransactionFacts.tsx'
import { WholeAddress } from '../../../parts/WholeAddress.tsx'
import { assetName, contractOf, isClaimed, movedTransfers } from './describe.ts'
import { TransferAmount } from './TransferAmount.tsx'

type ActivityTexts = Texts['base']['activity']

/** At most this many contracts are listed. */
const MOST_CONTRACTS = 8

export interface ActivityDetailsProps {
  id: string
  transaction: ActivityTransaction
  isPoisoned: boolean
}

/** The details of a transaction with every digit, and a link to a block explorer. */
export function ActivityDetails({ id, transaction, isPoisoned }: ActivityDetailsProps) {
  const tag = useLocaleTag()
  const { activity } = useTexts()
  const texts = activity.details
  const { network } = useNetwork()
  const { metadata } = transaction
  const transfers = movedTransfers(transaction)
  const isTrap = isPoisoned || isClaimed(transaction)
  return (
    <div id={id} className="hw-activity-details">
      {[...(isPoisoned ? [texts.poisoned] : []), ...warningsOf(transaction, texts)].map((warning) => (
        <p key={warning} className="hw-activity-warning" role="note">
          <AlertIcon size={16} />
          {warning}
        </p>
      ))}
      {transfers.length > 0 && (
        <ul className="hw-activity-transfers">
          {transfers.map((transfer, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: transfers have no identity and never move
            <li key={index + transfer.direction + assetName(transfer)}>
              <TransferAmount transfer={transfer} operationType={metadata.operationType} precision="exact" />
              {transfer.rent && <span className="hw-note">{textFor(texts.rent, transfer.direction)}</span>}
            </li>
          ))}
        </ul>
      )}
      <dl className="hw-details">
        <Fact name={texts.status}>{statusText(metadata.status, activity)}</Fact>
        {metadata.error && <Fact name={texts.error}>{metadata.error}</Fact>}
        {metadata.status !== 'pending' && (
          <Fact name={texts.date}>{fullTime(Date.parse(metadata.minedAt), tag)}</Fact>
        )}
        {metadata.sentFrom && (
          <Fact name={texts.from}>
            <WholeAddress address={metadata.sentFrom} copyLabel={texts.copyAddress} isTrap={isTrap} />
          </Fact>
        )}
        {metadata.sentTo && (
          <Fact name={texts.to}>
            <WholeAddress address={metadata.sentTo} copyLabel={texts.copyAddress} isTrap={isTrap} />
          </Fact>
        )}
        {metadata.application && <Fact name={texts.application}>{metadata.application.name}</Fact>}
        {contractsOf(transfers).map(([contract, name]) => (
          <Fact key={contract} name={texts.contract(name)} data-testid="token-contract">
            <WholeAddress address={contract} copyLabel={texts.copyContract} isTrap={isTrap} />
            <AddressExplorerLink address={contract} label={texts.contractExplorer} />
          </Fact>
        ))}
        {metadata.fee && network && (
          <Fact name={texts.fee}>
            <Amount
              value={formatUnits(BigInt(metadata.fee), network.nativeCurrency.decimals)}
              symbol={network.nativeCurrency.symbol}
              precision={metadata.chain.startsWith('bip122:') ? 'exact' : 'short'}
            />
          </Fact>
        )}
        {metadata.feePayer && !metadata.fee && (
          <Fact name={texts.feePayer}>
            <WholeAddress address={metadata.feePayer} copyLabel={texts.copyAddress} isTrap={isTrap} />
          </Fact>
        )}
        {transaction.confirmations !== undefined && (
          <Fact name={texts.confirmations} data-testid="activity-confirmations">
            {transaction.confirmations.toLocaleString(tag)}
          </Fact>
        )}
        {metadata.block && <Fact name={texts.block}>{metadata.block}</Fact>}
        <HashFact hash={metadata.hash} testId="activity-hash" />
      </dl>
      {network && metadata.status !== 'pending' && (
        <ExplorerLink chainId={network.caipNetworkId} hash={metadata.hash} testId="activity-explorer" />
      )}
    </div>
  )
}

/** Returns the contracts of the transfers, without duplicates, each with its symbol. */
function contractsOf(transfers: readonly ActivityTransfer[]): [contract: string, name: string][] {
  const named = transfers.flatMap((transfer): [string, string][] => {
    const contract = contractOf(transfer)
    return contract ? [[contract, assetName(transfer)]] : []
  })
  return [...new Map(named)].slice(0, MOST_CONTRACTS)
}

function warningsOf(transaction: ActivityTransaction, texts: ActivityTexts['details']): string[] {
  const { transfers } = transaction
  const claims = isClaimed(transaction)
    ? [texts.spam]
    : transfers.some((transfer) => transfer.spam)
      ? [texts.claims]
      : []
  const named = transfers.flatMap(({ fungibleInfo: info }) => {
    const text = info?.warning && textFor(texts.warnings, info.warning)
    return text ? [text(info.symbol || info.name)] : []
  })
  return [...new Set([...claims, ...named])]
}

function statusText(status: string, texts: ActivityTexts): string {
  if (status === 'pending') return texts.pending
  return status === 'failed' ? texts.failed : texts.confirmed
}
