import { timeText } from '@hawser/texts/format/timeText'
import { visibleText } from '@hawser/texts/format/visibleText'
import type { FrameTexts } from '@hawser/texts/frame/texts'
import type { ApprovalView, Preview } from '@hawser/vault'
import { useState } from 'preact/hooks'
import type { Assets } from '../assets.ts'
import { amountText } from '../locale/amount.ts'
import { dollarText } from '../locale/dollarText.ts'
import { useTag, useTexts } from '../locale/useLanguage.ts'
import type { NetworkInfo } from '../networks.ts'
import { Address } from './Address.tsx'

type Change = NonNullable<Preview['changes']>[number]
/** A token; undefined if the service says none. */
export type Asset = Change['asset']

/** What a request would do: what leaves and arrives, and who may take what. */
export function PreviewContent({
  preview: { changes = [], approvals = [] },
  view: { content },
  network,
  assets,
}: {
  readonly preview: Preview
  readonly view: ApprovalView
  readonly network: NetworkInfo
  readonly assets: Assets
}) {
  const texts = useTexts()
  const tag = useTag()
  const receivers = content.kind === 'calls' ? content.calls.map(({ to }) => to?.toLowerCase()) : []
  /** The account that what leaves goes to, unless it is that of a call. */
  const receiverOf = ({ outgoing, counterparty = '' }: Change) =>
    outgoing && !receivers.includes(counterparty.toLowerCase()) ? counterparty : ''
  return (
    <>
      {changes.length > 0 && (
        <ul class="effects" aria-label={texts.effects.changes}>
          {changes.map((change) => (
            <li key={JSON.stringify(change)} class="box">
              <span class="label">{change.outgoing ? texts.effects.leaves : texts.effects.arrives}</span>
              <Amount amount={change.amount ?? '0'} asset={change.asset} network={network} assets={assets} />
              {receiverOf(change) && (
                <>
                  <span class="label">{texts.fact.to}</span>
                  <Address>{receiverOf(change)}</Address>
                </>
              )}
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
              <Address>{approval.spender ?? ''}</Address>
              <Amount
                amount={approval.amount}
                asset={approval.asset}
                network={network}
                assets={assets}
                isEnded={approval.revoked === true}
              />
              {Number(approval.expiresAt ?? 0) > 0 && (
                <span class="label">
                  {texts.grant.until} <bdi>{timeText(Number(approval.expiresAt), tag)}</bdi>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** An amount with the icon of its token, and in dollars where they are known. Without an amount it is all of the token. */
function Amount({
  amount,
  asset,
  network,
  assets,
  isEnded = false,
}: {
  readonly amount: string | undefined
  readonly asset: Asset
  readonly network: NetworkInfo
  readonly assets: Assets
  /** Whether the approval ends, so that the text has no amount. */
  readonly isEnded?: boolean
}) {
  const texts = useTexts()
  const tag = useTag()
  const isNative = asset?.kind === 'ASSET_KIND_NATIVE'
  const { price, icon } = assets.get(isNative ? '' : (asset?.contract ?? '').toLowerCase()) ?? {}
  const decimals = isNative ? network.decimals : (asset?.decimals ?? 0)
  const [hasIcon, setHasIcon] = useState(true)
  return (
    <div class="amount">
      {icon && hasIcon && <img src={icon} alt="" width="32" height="32" onError={() => setHasIcon(false)} />}
      <div>
        <strong class="main">
          <bdi>
            {isEnded
              ? numbered(visibleText(nameOf(asset, texts)), asset)
              : amount
                ? amountOf(amount, asset, network, texts, tag)
                : texts.effects.all(visibleText(nameOf(asset, texts)))}
          </bdi>
        </strong>
        {amount && !isEnded && price !== undefined && !asset?.tokenId && (
          <span class="name">{dollarText(BigInt(amount), decimals, price, tag)}</span>
        )}
      </div>
    </div>
  )
}

function amountOf(
  amount: string,
  asset: Asset,
  network: NetworkInfo,
  texts: FrameTexts,
  tag: string,
): string {
  const units = BigInt(amount)
  if (asset?.kind === 'ASSET_KIND_NATIVE') return amountText(units, network, texts, tag)
  const { decimals = 0 } = asset ?? {}
  return numbered(amountText(units, { symbol: nameOf(asset, texts), decimals }, texts, tag), asset)
}

/** Adds the id of an NFT. */
function numbered(text: string, asset: Asset): string {
  return asset?.tokenId ? `${text} #${asset.tokenId}` : text
}

/** Returns the symbol of a token, or its contract, as the service has it. */
export function nameOf(asset: Asset, { effects }: FrameTexts): string {
  return asset?.symbol || asset?.contract || effects.tokens
}
