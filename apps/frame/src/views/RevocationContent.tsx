import type { ApprovalView } from '@hawser/vault'
import { fill } from '../locale/fill.tsx'
import { useTexts } from '../locale/useLanguage.ts'
import type { NetworkInfo } from '../networks.ts'
import { OperationFacts } from './OperationFacts.tsx'

/** The end of what a site may do, and the operation that ends it on chain. */
export function RevocationContent({
  content: { delegate, operation },
  network,
  price,
}: {
  readonly content: Extract<ApprovalView['content'], { kind: 'revocation' }>
  readonly network: NetworkInfo
  /** Dollars of one native token, if they are known. */
  readonly price: number | undefined
}) {
  const { approval: texts } = useTexts()
  if (!delegate) return <p>{texts.revocation}</p>
  const account = <span class="address">{delegate}</span>
  if (!operation) return <p>{fill(texts.revocationUnsent, { account })}</p>
  return (
    <>
      <p>{fill(texts.revocationOf, { account })}</p>
      <OperationFacts operation={operation} network={network} price={price} />
    </>
  )
}
