import type { ApprovalView, CallView, Preview } from '@hawser/vault'
import { amountText } from '../locale/amount.ts'
import { useTag, useTexts } from '../locale/useLanguage.ts'
import type { NetworkInfo } from '../networks.ts'
import { Fact } from './Fact.tsx'
import { OperationFacts } from './OperationFacts.tsx'

type Calls = Extract<ApprovalView['content'], { kind: 'calls' }>

/** Reports whether a preview shows exactly one native amount that leaves the account: that of a call. */
function saysAmount(preview: Preview | undefined, value: bigint): boolean {
  if (preview?.outcome !== 'OUTCOME_SUCCEEDS' && preview?.outcome !== 'OUTCOME_REVERTS') return false
  const leaving = (preview.changes ?? []).filter(
    ({ outgoing, asset }) => outgoing && asset?.kind === 'ASSET_KIND_NATIVE',
  )
  return value === 0n ? leaving.length === 0 : leaving.length === 1 && leaving[0]?.amount === String(value)
}

/** The calls of a transaction: who receives, how much leaves, which data. */
export function CallsContent({
  content: { calls, isAtomic, maxFee, delegate },
  network,
  price,
  preview,
}: {
  readonly content: Calls
  readonly network: NetworkInfo
  /** Dollars of one native token, if they are known. */
  readonly price: number | undefined
  readonly preview: Preview | undefined
}) {
  const texts = useTexts()
  const [only] = calls
  const isSaid = calls.length === 1 && only !== undefined && saysAmount(preview, only.value)
  return (
    <>
      {calls.length > 1 && (
        <p>{isAtomic ? texts.calls.atomic(calls.length) : texts.calls.sequence(calls.length)}</p>
      )}
      <ol class="calls">
        {calls.map((call, at) => (
          <Call key={at} call={call} network={network} isAmountSaid={isSaid} />
        ))}
      </ol>
      <OperationFacts operation={{ maxFee, delegate }} network={network} price={price} />
    </>
  )
}

function Call({
  call: { to, value, data },
  network,
  isAmountSaid,
}: {
  readonly call: CallView
  readonly network: NetworkInfo
  /** Whether the preview shows what the call sends. */
  readonly isAmountSaid: boolean
}) {
  const texts = useTexts()
  const tag = useTag()
  return (
    <li class="box">
      <dl class="entries">
        {to ? (
          <Fact name={texts.fact.to} isAddress>
            {to}
          </Fact>
        ) : (
          <dt>{texts.calls.deploys}</dt>
        )}
        {!isAmountSaid && (
          <Fact name={texts.fact.amount}>
            <span class="main">{amountText(value, network, texts, tag)}</span>
          </Fact>
        )}
      </dl>
      {data !== '0x' && (
        <details>
          <summary>{texts.calls.data((data.length - 2) / 2)}</summary>
          <pre>{data}</pre>
        </details>
      )}
    </li>
  )
}
