import type { OperationView } from '@hawser/vault'
import { fill } from '../locale/fill.tsx'
import { useTexts } from '../locale/useLanguage.ts'
import type { NetworkInfo } from '../networks.ts'
import { FeeFact } from './FeeFact.tsx'

/** What an operation of the account costs, and the code that it gives the account. */
export function OperationFacts({
  operation: { maxFee, delegate },
  network,
  price,
}: {
  /** Without a fee where nothing can be sent. */
  readonly operation: Pick<OperationView, 'delegate'> & { readonly maxFee: bigint | undefined }
  readonly network: NetworkInfo
  /** Dollars of one native token, if they are known. */
  readonly price: number | undefined
}) {
  const { calls } = useTexts()
  return (
    <>
      {delegate && (
        <p class="hint">{fill(calls.upgrade, { account: <span class="address">{delegate}</span> })}</p>
      )}
      {maxFee !== undefined && (
        <dl class="facts">
          <FeeFact fee={maxFee} network={network} price={price} />
        </dl>
      )}
    </>
  )
}
