import type { ApprovalView, CallView } from '@hawser/frame/wallet'
import { formatUnits } from 'viem/utils'
import type { NetworkInfo } from '../networks.ts'

type Calls = Extract<ApprovalView['content'], { kind: 'calls' }>

/** The calls of a transaction: who receives, how much leaves, which data. */
export function CallsContent({
  content: { calls, isAtomic, maxFee, delegate },
  network,
}: {
  readonly content: Calls
  readonly network: NetworkInfo
}) {
  const amount = (wei: bigint) => `${formatUnits(wei, network.decimals)} ${network.symbol}`
  return (
    <>
      {calls.length > 1 && (
        <p>
          {isAtomic
            ? `${calls.length} calls, all or none`
            : `${calls.length} transactions, one after the other`}
        </p>
      )}
      <ol class="calls">
        {calls.map((call, at) => (
          <Call key={at} call={call} amount={amount} />
        ))}
      </ol>
      {delegate && (
        <p class="warning">
          Your account becomes a smart account on this network. It then runs the code at{' '}
          <span class="address">{delegate}</span>.
        </p>
      )}
      {maxFee !== undefined && (
        <dl class="facts">
          <dt>Network fee, at most</dt>
          <dd>{amount(maxFee)}</dd>
        </dl>
      )}
    </>
  )
}

function Call({
  call: { to, value, data },
  amount,
}: {
  readonly call: CallView
  readonly amount: (wei: bigint) => string
}) {
  return (
    <li>
      <dl class="facts">
        <dt>{to ? 'To' : 'Deploys a contract'}</dt>
        {to && <dd class="address">{to}</dd>}
        <dt>Amount</dt>
        <dd>{amount(value)}</dd>
      </dl>
      {data !== '0x' && (
        <details>
          <summary>Data, {(data.length - 2) / 2} bytes</summary>
          <pre>{data}</pre>
        </details>
      )}
    </li>
  )
}
