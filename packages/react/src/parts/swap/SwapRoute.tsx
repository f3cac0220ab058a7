import { currentQuote, findSwapToken, type SwapPath, type SwapToken } from '@hawser/core'
import { Fragment } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { enSwap } from '../../locale/enSwap.ts'
import { formatPercent } from '../percent.ts'
import { SwapTokenMark } from './SwapTokenMark.tsx'

type Hop = SwapPath['hops'][number]

/** Which pools the swap goes through, and what share takes which way. The picture is also there in words. */
export function SwapRoute() {
  const hawser = useHawser()
  const swap = useHawserState(hawser.swap, (state) => state)
  const route = currentQuote(swap)?.route ?? []
  if (route.length === 0) return null
  return (
    <div className="hw-route" data-testid="swap-route">
      <ul className="hw-visually-hidden">
        {route.map((path) => (
          <li key={keyOf(path)}>{inWords(path, swap.tokens)}</li>
        ))}
      </ul>
      <div className="hw-route-picture" aria-hidden="true">
        {route.map((path) => (
          <Path key={keyOf(path)} path={path} tokens={swap.tokens} />
        ))}
      </div>
    </div>
  )
}

function Path({ path, tokens }: { path: SwapPath; tokens: readonly SwapToken[] }) {
  const [first] = path.hops
  return (
    <div className="hw-route-path">
      <span className="hw-route-share">{formatPercent(path.share)}</span>
      {first && <TokenDot id={first.from} tokens={tokens} />}
      {path.hops.map((hop) => (
        <Fragment key={hop.pool + hop.from}>
          <span className="hw-route-hop" title={`${hop.venue} ${hop.kind} ${hop.pool}`}>
            <span className="hw-route-venue">
              {hop.kind === 'wrap' ? hop.kind : `${hop.venue} ${hop.kind}`}
            </span>
            <span className="hw-route-fee">{hop.kind === 'wrap' ? '' : formatPercent(hop.fee)}</span>
          </span>
          <TokenDot id={hop.to} tokens={tokens} />
        </Fragment>
      ))}
    </div>
  )
}

function TokenDot({ id, tokens }: { id: string; tokens: readonly SwapToken[] }) {
  const token = tokenOf(id, tokens)
  return (
    <span className="hw-route-token" title={token.symbol}>
      <SwapTokenMark token={token} size={24} />
    </span>
  )
}

/** How many pools a route goes through; what only wraps is none. */
export function countPools(route: readonly SwapPath[]): number {
  return new Set(
    route.flatMap(({ hops }) => hops.filter(({ kind }) => kind !== 'wrap').map(({ pool }) => pool)),
  ).size
}

function inWords(path: SwapPath, tokens: readonly SwapToken[]): string {
  const hops = path.hops.map((hop) => hopInWords(hop, tokens)).join(', ')
  return enSwap.route.path(formatPercent(path.share), hops)
}

function hopInWords({ from, to, kind, venue, fee }: Hop, tokens: readonly SwapToken[]): string {
  const [sold, bought] = [tokenOf(from, tokens).symbol, tokenOf(to, tokens).symbol]
  if (kind === 'wrap') return enSwap.route.wrap(sold, bought)
  return enSwap.route.hop(sold, bought, `${venue} ${kind}`, formatPercent(fee))
}

/** A token in the middle of a route may be on no list. */
function tokenOf(id: string, tokens: readonly SwapToken[]): SwapToken {
  const unlisted = { name: id, symbol: '?', address: id, decimals: 0, iconUrl: '', eip2612: false }
  return findSwapToken(tokens, id) ?? unlisted
}

function keyOf(path: SwapPath): string {
  return path.hops.map(({ pool }) => pool).join() + path.share
}
