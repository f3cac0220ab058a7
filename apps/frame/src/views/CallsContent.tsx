import type { ApprovalView, CallView } from '@hawser/frame/wallet'
import { amountText } from '../locale/amount.ts'
import { fill } from '../locale/fill.tsx'
import { useTag, useTexts } from '../locale/useLanguage.ts'
import type { NetworkInfo } from '../networks.ts'
import { Fact } from './Fact.tsx'

type Calls = Extract<ApprovalView['content'], { kind: 'calls' }>

/** The calls of a transaction: who receives, how much leaves, which data. */
export function CallsContent({
  content: { calls, isAtomic, maxFee, delegate },
  network,
}: {
  readonly content: Calls
  readonly network: NetworkInfo
}) {
  const texts = useTexts()
  const tag = useTag()
  return (
    <>
      {calls.length > 1 && (
        <p>{isAtomic ? texts.calls.atomic(calls.length) : texts.calls.sequence(calls.length)}</p>
      )}
      <ol class="calls">
        {calls.map((call, at) => (
          <Call key={at} call={call} network={network} />
        ))}
      </ol>
      {delegate && (
        <p class="warning">
          {fill(texts.calls.upgrade, { account: <span class="address">{delegate}</span> })}
        </p>
      )}
      {maxFee !== undefined && (
        <dl class="facts">
          <Fact name={texts.fact.maxFee}>{amountText(maxFee, network, texts, tag)}</Fact>
        </dl>
      )}
    </>
  )
}

function Call({
  call: { to, value, data },
  network,
}: {
  readonly call: CallView
  readonly network: NetworkInfo
}) {
  const texts = useTexts()
  const tag = useTag()
  return (
    <li>
      <dl class="facts">
        {to ? (
          <Fact name={texts.fact.to} isAddress>
            {to}
          </Fact>
        ) : (
          <dt>{texts.calls.deploys}</dt>
        )}
        <Fact name={texts.fact.amount}>{amountText(value, network, texts, tag)}</Fact>
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
