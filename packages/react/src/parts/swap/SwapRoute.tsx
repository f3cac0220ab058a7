import { currentQuote, findSwapToken, type SwapPath, type SwapState, type SwapToken } from '@hawser/core'
import type { Texts } from '@hawser/texts/modal/texts'
import { Fragment } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useSwapTexts } from '../../locale/useSwapTexts.ts'
import { formatPercent, formatShare } from '../percent.ts'

type Hop = SwapPath['hops'][number]

/** The pools that the swap goes through, with the share of each path; also as text for screen readers. */
export function SwapRoute() {
  const texts = useSwapTexts()
  const tag = useLocaleTag()
  const hawser = useHawser()
  const swap = useHawserState(hawser.swap, (state) => state)
  const route = readRoute(swap)
  if (route.length === 0) return null
  // The tokens that all paths share are shown once, which leaves room for the pools of longer paths.
  const isCompact = route.some(({ hops }) => hops.length > 1)
  return (
    <div className="hw-route" data-testid="swap-route">
      <ul className="hw-visually-hidden">
        {route.map((path) => (
          <li key={path.key}>{inWords(path, texts, tag)}</li>
        ))}
      </ul>
      <div className="hw-route-picture" data-compact={isCompact || undefined} aria-hidden="true">
        {isCompact && (
          <div className="hw-route-ends">
            <bdi>{swap.sourceToken?.symbol}</bdi>
            <bdi>{swap.toToken?.symbol}</bdi>
          </div>
        )}
        {route.map((path) => (
          <Path key={path.key} path={path} />
        ))}
      </div>
    </div>
  )
}

function Path({ path }: { path: ShownPath }) {
  const tag = useLocaleTag()
  const [first] = path.hops
  return (
    <div className="hw-route-path">
      <span className="hw-route-share">{formatShare(path.share, tag)}</span>
      {first && <TokenName token={first.from} />}
      {path.hops.map(({ from, to, pool, venue, kind, fee }) => (
        <Fragment key={pool + from.address}>
          <span className="hw-route-hop" title={`${venue} ${kind} ${pool}`}>
            <span className="hw-route-venue">{kind === 'wrap' ? kind : `${venue} ${kind}`}</span>
            <span className="hw-route-fee">{kind === 'wrap' ? '' : formatPercent(fee, tag)}</span>
          </span>
          <TokenName token={to} />
        </Fragment>
      ))}
    </div>
  )
}

function TokenName({ token }: { token: SwapToken }) {
  return (
    <bdi className="hw-route-token" title={token.symbol}>
      {token.symbol}
    </bdi>
  )
}

/** A path with the symbols of its tokens. It starts and ends with the tokens of the swap, wrapped or not. */
interface ShownPath {
  key: string
  share: number
  hops: readonly ShownHop[]
}

interface ShownHop extends Omit<Hop, 'from' | 'to'> {
  from: SwapToken
  to: SwapToken
}

function readRoute(swap: SwapState): readonly ShownPath[] {
  const { sourceToken, toToken, tokens } = swap
  const route = [...(currentQuote(swap)?.route ?? [])].sort((a, b) => b.share - a.share)
  return route.map(({ share, hops }) => ({
    key: hops.map(({ pool }) => pool).join() + share,
    share,
    hops: hops.map((hop, index) => ({
      ...hop,
      from: (index === 0 && sourceToken) || tokenOf(hop.from, tokens),
      to: (index === hops.length - 1 && toToken) || tokenOf(hop.to, tokens),
    })),
  }))
}

/** Counts the pools of the swap. */
export function PoolCount({ route }: { route: readonly SwapPath[] }) {
  const texts = useSwapTexts()
  return <bdi>{texts.pools(countPools(route))}</bdi>
}

/** Counts the pools of a route. Steps that only wrap or unwrap are not pools. */
function countPools(route: readonly SwapPath[]): number {
  return new Set(
    route.flatMap(({ hops }) => hops.filter(({ kind }) => kind !== 'wrap').map(({ pool }) => pool)),
  ).size
}

function inWords({ share, hops }: ShownPath, { route }: Texts['swap'], tag: string): string {
  const words = hops.map((hop) => hopInWords(hop, route, tag))
  return route.path(formatPercent(share, tag), new Intl.ListFormat(tag, { type: 'unit' }).format(words))
}

function hopInWords(
  { from, to, kind, venue, fee }: ShownHop,
  route: Texts['swap']['route'],
  tag: string,
): string {
  if (kind === 'wrap') return route.wrap(from.symbol, to.symbol)
  return route.hop(from.symbol, to.symbol, `${venue} ${kind}`, formatPercent(fee, tag))
}

/** Returns a token of a path. An intermediate token may be on no list. */
function tokenOf(id: string, tokens: readonly SwapToken[]): SwapToken {
  const unlisted = { name: id, symbol: '?', address: id, decimals: 0, iconUrl: '', eip2612: false }
  return findSwapToken(tokens, id) ?? unlisted
}
