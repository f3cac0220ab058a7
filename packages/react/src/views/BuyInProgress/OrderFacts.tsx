import { type BuyOrder, type CaipNetworkId, isOpenOrder, requestedNetwork } from '@hawser/core'
import { Amount } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useBuyTexts } from '../../locale/useBuyTexts.ts'
import { Fact } from '../../parts/Fact.tsx'
import { formatMoney } from '../../parts/onramp/money.ts'
import { ExplorerLink, HashFact } from '../../parts/TransactionFacts.tsx'

/** Payment, purchase and network of an order, and its transaction with a link to a block explorer. */
export function OrderFacts({ order }: { order: BuyOrder }) {
  const tag = useLocaleTag()
  const { rows } = useBuyTexts().progress
  const hawser = useHawser()
  const { payment, purchase, chainId, transaction, state } = order
  const isDone = state === 'completed'
  const network = requestedNetwork(hawser, chainId as CaipNetworkId)
  return (
    <div className="hw-facts">
      <dl className="hw-details">
        {payment && <Fact name={rows.paid}>{formatMoney(payment, tag)}</Fact>}
        {purchase && (isDone || isOpenOrder(order)) && (
          <Fact name={isDone ? rows.got : rows.get}>
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
