import { type BuyOrder, type CaipNetworkId, requestedNetwork } from '@hawser/core'
import { Amount } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { enBuy } from '../../locale/enBuy.ts'
import { Fact } from '../../parts/Fact.tsx'
import { formatMoney } from '../../parts/onramp/money.ts'
import { ExplorerLink, HashFact } from '../../parts/TransactionFacts.tsx'

const { rows } = enBuy.progress

/** Payment, purchase and network of an order, and its transaction with a link to a block explorer. */
export function OrderFacts({ order }: { order: BuyOrder }) {
  const hawser = useHawser()
  const { payment, purchase, chainId, transaction, state } = order
  const network = requestedNetwork(hawser, chainId as CaipNetworkId)
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
        {transaction && <HashFact hash={transaction} testId="buy-transaction" />}
      </dl>
      {transaction && <ExplorerLink chainId={chainId} hash={transaction} testId="buy-explorer" />}
    </div>
  )
}
