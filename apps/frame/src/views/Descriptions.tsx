import { shorten } from '@hawser/texts/format/shorten'
import { visibleText } from '@hawser/texts/format/visibleText'
import { described } from '@hawser/texts/preview/described'
import { drawDescription } from '@hawser/texts/preview/drawDescription'
import { type AsksTexts, englishAsks, loadAsks } from '@hawser/texts/preview/loadAsks'
import type { Preview } from '@hawser/vault'
import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { digitsText, symbolText } from '../locale/amount.ts'
import { useTag, useTexts } from '../locale/useLanguage.ts'
import type { NetworkInfo } from '../networks.ts'
import { Address } from './Address.tsx'
import { type Asset, nameOf } from './PreviewContent.tsx'

type List = NonNullable<Preview['descriptions']>

/** What a request asks of contracts, in the words of their descriptors. What it does is not said here. */
export function Descriptions({ list, network }: { readonly list: List; readonly network: NetworkInfo }) {
  const texts = useTexts()
  const tag = useTag()
  const [asks, setAsks] = useState<AsksTexts>(englishAsks)
  useEffect(() => {
    loadAsks(tag).then(setAsks)
  }, [tag])
  const saying = {
    tag,
    texts: asks,
    clean: visibleText,
    digits: (value: bigint, decimals: number) => digitsText(value, decimals, tag),
    token: (asset: Asset) =>
      asset?.kind === 'ASSET_KIND_NATIVE'
        ? { symbol: symbolText(network, texts), decimals: network.decimals }
        : { symbol: visibleText(nameOf(asset, texts)), decimals: asset?.decimals ?? 0 },
    shorten,
  }
  return (
    <section class="box" aria-label={asks.title}>
      <span class="label">{asks.title}</span>
      {list.map((description) =>
        drawDescription(described(description, saying), h, (whole) => <Address>{whole}</Address>),
      )}
    </section>
  )
}
