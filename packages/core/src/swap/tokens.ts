import { messageData } from '@hawser/client'
import { baseUnits, parseUnits } from '../amounts/units.ts'
import { selectAccount } from '../chain/selectors.ts'
import { NATIVE_TOKEN_ADDRESS } from '../constants.ts'
import { balancesClient, convertClient } from '../gateway/clients.ts'
import { isServed } from '../gateway/servedChains.ts'
import type { TokenBalance } from '../types/account.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'
import type { ChainState } from '../types/state.ts'
import type { SwapSide, SwapState, SwapToken } from '../types/swap.ts'

/** The network's own currency, as swaps name it. */
export function isNativeSwapToken({ address }: SwapToken): boolean {
  return address.toLowerCase().endsWith(NATIVE_TOKEN_ADDRESS)
}

/** Plain address of a CAIP-10 id. */
export function plainAddress(caipAddress: string): string {
  return caipAddress.slice(caipAddress.lastIndexOf(':') + 1)
}

export function isSameSwapToken(a: SwapToken | undefined, b: SwapToken | undefined): boolean {
  return a !== undefined && a.address.toLowerCase() === b?.address.toLowerCase()
}

/**
 * Asks which tokens of a network can be swapped, its own currency first and the rest by symbol: none, without asking, of a
 * network that the gateway does not serve.
 *
 * @param address only the token with this plain address, on no list perhaps.
 * @throws what a call throws (see `createTransport`).
 */
export async function readSwapTokens(
  hawser: Hawser,
  { caipNetworkId }: Network,
  signal?: AbortSignal,
  address?: string,
): Promise<readonly SwapToken[]> {
  if (!(await isServed(hawser, caipNetworkId))) return []
  const convert = await convertClient(hawser)
  const request = { chainId: caipNetworkId, address: address ?? '' }
  const { tokens } = await convert.listTokens(request, signal ? { signal } : {})
  return messageData(tokens)
    .map(({ logoUri, ...token }) => ({ ...token, iconUrl: logoUri ?? '' }))
    .sort((a, b) => Number(isNativeSwapToken(b)) - Number(isNativeSwapToken(a)) || bySymbol(a, b))
}

function bySymbol(a: SwapToken, b: SwapToken): number {
  return a.symbol.localeCompare(b.symbol, 'en', { sensitivity: 'base' })
}

/**
 * The token a text names: its address, plain or as CAIP-10, or its symbol.
 *
 * @param tokens the first one wins when several bear the symbol.
 */
export function findSwapToken(tokens: readonly SwapToken[], text: string | undefined): SwapToken | undefined {
  const wanted = text?.trim().toLowerCase()
  if (!wanted) return undefined
  return (
    tokens.find(
      ({ address }) => address.toLowerCase() === wanted || plainAddress(address).toLowerCase() === wanted,
    ) ?? tokens.find(({ symbol }) => symbol.toLowerCase() === wanted)
  )
}

/** The row of the balance list that speaks of a token. */
export function rowOf(state: ChainState, token: SwapToken): TokenBalance | undefined {
  const isNative = isNativeSwapToken(token)
  return selectAccount(state).tokenBalance.find(({ address }) =>
    isNative ? address === undefined : address?.toLowerCase() === token.address.toLowerCase(),
  )
}

/** What the account holds of a token in base units; undefined until it is known. */
export function swapBalance(
  { balances }: SwapState,
  state: ChainState,
  token: SwapToken,
): bigint | undefined {
  const { balance } = selectAccount(state)
  if (isNativeSwapToken(token) && balance !== undefined) return parseUnits(balance, token.decimals)
  const row = rowOf(state, token)
  return row ? baseUnits(row) : balances[token.address.toLowerCase()]
}

/** US dollars per whole token, for display only; undefined when it is not known. */
export function swapPrice({ prices }: SwapState, state: ChainState, token: SwapToken): number | undefined {
  return rowOf(state, token)?.price || prices[token.address.toLowerCase()] || undefined
}

/** Reads the prices of both tokens and of the own currency, of those that no balance row tells. Never throws. */
export async function loadSwapPrices(hawser: Hawser): Promise<void> {
  const { sourceToken, toToken, tokens } = hawser.swap.getState()
  const chain = hawser.chain.getState()
  const addresses = [sourceToken, toToken, tokens.find(isNativeSwapToken)]
    .filter((token) => token !== undefined)
    .filter((token) => swapPrice(hawser.swap.getState(), chain, token) === undefined)
    .map(({ address }) => address)
  if (addresses.length === 0) return
  const { isCurrent, signal } = hawser.latest.begin('swap:prices')
  const { activeCaipNetwork: network } = chain
  try {
    if (!network || !(await isServed(hawser, network.caipNetworkId))) return
    const balances = await balancesClient(hawser)
    const { projectId } = hawser.options.getState()
    const request = { projectId, currency: 'usd', addresses: [...new Set(addresses)] }
    const { fungibles } = await balances.listPrices(request, { signal })
    if (!isCurrent()) return
    const told = fungibles.map(({ address, price }) => [address.toLowerCase(), price] as const)
    hawser.swap.setState(({ prices }) => ({ prices: { ...prices, ...Object.fromEntries(told) } }))
  } catch {
    // A price is for display: without one there is none.
  }
}

/** The other one of the two. */
export function otherSide(side: SwapSide): SwapSide {
  return side === 'sourceToken' ? 'toToken' : 'sourceToken'
}
