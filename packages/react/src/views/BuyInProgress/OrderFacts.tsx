import {
  type BuyOrder,
  type CaipNetworkId,
  requestedNetwork,
  shortenAddress,
  transactionExplorerUrl,
} from '@hawser/core'
import { Amount, CopyButton, ExternalIcon } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { enBuy } from '../../locale/enBuy.ts'
import { Fact } from '../../parts/Fact.tsx'
import { formatMoney } from '../../parts/onramp/money.ts'

const { rows, ...texts } = enBuy.progress

/** Payment, purchase and network of an order, and its transaction with a link to a block explorer. */
export function OrderFacts({ order }: { order: BuyOrder }) {
  const hawser = useHawser()
  const { payment, purchase, chainId, transaction, state } = order
  const network = requestedNetwork(hawser, chainId as CaipNetworkId)
  const explorer = network?.blockExplorers?.default
  return (
    <div className="hw-facts">
      <dl className="hw-details">
        {payment && <Fact name={rows.paid}>{formatMoney(payment)}</Fact>}
        {purchase && (
          <Fact name={state === 'completed' ? rows.got : rows.get}>
            <Amount value={purchase.amount} symbol={purchase.currency} />
          </Fact>
        )}
        {network && <Fact name={rows.network}>{network.name}</Fact>}
        {transaction && (
          <Fact name={rows.transaction}>
            <CopyButton text={transaction} label={rows.copyHash}>
              <bdi className="hw-mono" data-testid="buy-transaction">
                {shortenAddress(transaction, { start: 6, end: 4 })}
              </bdi>
            </CopyButton>
          </Fact>
        )}
      </dl>
      {explorer && transaction && (
        <a
          className="hw-link"
          href={transactionExplorerUrl(network, transaction)}
          target="_blank"
          rel="noopener noreferrer"
          data-testid="buy-explorer"
        >
          {texts.explorer(explorer.name)}
          <ExternalIcon size={16} />
        </a>
      )}
    </div>
  )
}
