import type { Preview } from '@hawser/frame/wallet'
import { amountText } from '../locale/amount.ts'
import type { Texts } from '../locale/texts.ts'
import { useReasons, useTag, useTexts } from '../locale/useLanguage.ts'
import type { NetworkInfo } from '../networks.ts'
import { visibleText } from '../plain.ts'
import { Warnings } from './Warnings.tsx'

type Change = NonNullable<Preview['changes']>[number]
type Approval = NonNullable<Preview['approvals']>[number]
type Asset = Change['asset']

/** What a request would do: warnings, what leaves and arrives, and who may take what. */
export function PreviewContent({
  preview,
  network,
}: {
  readonly preview: Preview
  readonly network: NetworkInfo
}) {
  const texts = useTexts()
  const tag = useTag()
  const reasonOf = useReasons()
  const { outcome, changes = [], approvals = [], warnings = [] } = preview
  return (
    <>
      <Warnings warnings={warnings} />
      {outcome === 'OUTCOME_REVERTS' && (
        <p class="warning">
          {texts.approval.reverts} <bdi>{reasonOf(preview)}</bdi>
        </p>
      )}
      {changes.length > 0 && (
        <ul class="effects" aria-label={texts.effects.changes}>
          {changes.map((change) => (
            <li key={JSON.stringify(change)} class="box">
              <span class="label">{change.outgoing ? texts.effects.leaves : texts.effects.arrives}</span>
              <strong class="main">
                <bdi>
                  {change.outgoing ? '−' : '+'}
                  {amountOf(change.amount ?? '0', change.asset, network, texts, tag)}
                </bdi>
              </strong>
            </li>
          ))}
        </ul>
      )}
      {approvals.length > 0 && (
        <ul class="effects" aria-label={texts.effects.approvals}>
          {approvals.map((approval) => (
            <li key={JSON.stringify(approval)} class="box">
              <span class="label">
                {approval.revoked ? texts.effects.mayNoLongerTake : texts.effects.mayTake}
              </span>
              <bdi class="address">{approval.spender}</bdi>
              <strong class="main">
                <bdi>{limitOf(approval, network, texts, tag)}</bdi>
              </strong>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function amountOf(amount: string, asset: Asset, network: NetworkInfo, texts: Texts, tag: string): string {
  const units = BigInt(amount)
  if (asset?.kind === 'ASSET_KIND_NATIVE') return amountText(units, network, texts, tag)
  const { decimals = 0, tokenId = '' } = asset ?? {}
  const shown = amountText(units, { symbol: nameOf(asset, texts), decimals }, texts, tag)
  return tokenId ? `${shown} #${tokenId}` : shown
}

function limitOf({ amount, asset }: Approval, network: NetworkInfo, texts: Texts, tag: string): string {
  if (amount) return amountOf(amount, asset, network, texts, tag)
  return texts.effects.all(visibleText(nameOf(asset, texts)))
}

function nameOf(asset: Asset, { effects }: Texts): string {
  return asset?.symbol || asset?.contract || effects.tokens
}
