import type { Preview } from '@hawser/frame/wallet'
import { formatUnits } from 'viem/utils'
import type { NetworkInfo } from '../networks.ts'
import { visibleText } from '../plain.ts'

type Change = NonNullable<Preview['changes']>[number]
type Approval = NonNullable<Preview['approvals']>[number]
type Asset = Change['asset']

const classOf: Readonly<Record<string, string>> = {
  SEVERITY_DANGER: 'warning danger',
  SEVERITY_CAUTION: 'warning',
}

/** What a request would do: warnings, what leaves and arrives, and who may take what. */
export function PreviewContent({
  preview,
  network,
}: {
  readonly preview: Preview
  readonly network: NetworkInfo
}) {
  const { outcome, reason = '', changes = [], approvals = [], warnings = [] } = preview
  return (
    <>
      {warnings.map(({ kind = '', severity = '', text = '', subject = '' }) => (
        <p
          key={kind + subject}
          class={classOf[severity] ?? 'hint'}
          role={severity === 'SEVERITY_DANGER' ? 'alert' : undefined}
        >
          {visibleText(text)}
        </p>
      ))}
      {outcome === 'OUTCOME_NOT_SIMULATED' && (
        <p class="warning">
          This could not be simulated: it may do more than is shown. {visibleText(reason)}
        </p>
      )}
      {outcome === 'OUTCOME_REVERTS' && <p class="warning">This would fail. {visibleText(reason)}</p>}
      {changes.length > 0 && (
        <ul class="rows" aria-label="What leaves and arrives">
          {changes.map((change) => (
            <li key={JSON.stringify(change)}>
              <span>{change.outgoing ? 'Leaves' : 'Arrives'}</span>
              <strong>
                {change.outgoing ? '−' : '+'}
                {amountOf(change.amount ?? '0', change.asset, network)}
              </strong>
            </li>
          ))}
        </ul>
      )}
      {approvals.length > 0 && (
        <ul class="rows" aria-label="What others may take">
          {approvals.map((approval) => (
            <li key={JSON.stringify(approval)}>
              <span>
                {approval.revoked ? 'May no longer take' : 'May take'}
                <span class="address"> {approval.spender}</span>
              </span>
              <strong>{limitOf(approval, network)}</strong>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function amountOf(amount: string, asset: Asset, network: NetworkInfo): string {
  if (asset?.kind === 'ASSET_KIND_NATIVE')
    return `${formatUnits(BigInt(amount), network.decimals)} ${network.symbol}`
  const { decimals = 0, symbol = '', tokenId = '' } = asset ?? {}
  const name = visibleText(symbol) || asset?.contract || 'tokens'
  return `${formatUnits(BigInt(amount), decimals)} ${name}${tokenId ? ` #${tokenId}` : ''}`
}

function limitOf({ amount, asset }: Approval, network: NetworkInfo): string {
  if (amount) return amountOf(amount, asset, network)
  return `all ${visibleText(asset?.symbol ?? '') || asset?.contract || 'tokens'}`
}
