import { messageData } from '@hawser/client'
import { plainAddress } from '../address/plainAddress.ts'
import { baseUnits, parseUnits } from '../amounts/units.ts'
import { isNetworkServed, selectAccount, selectNetwork } from '../chain/selectors.ts'
import { balancesClient, convertClient } from '../gateway/clients.ts'
import { isServed, readServedFeatures } from '../gateway/servedFeatures.ts'
import { NATIVE_TOKEN_ADDRESS } from '../network/nativePlaceholder.ts'
import type { TokenBalance } from '../types/account.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'
import type { ChainState } from '../types/state.ts'
import type { SwapSide, SwapState, SwapToken } from '../types/swap.ts'
import { isSwapNetwork } from './networks.ts'

/** Reports whether a token is the native currency. */
export function isNativeSwapToken({ address }: SwapToken): boolean {
  return address.toLowerCase().endsWith(NATIVE_TOKEN_ADDRESS)
}

export function isSameSwapToken(a: SwapToken | undefined, b: SwapToken | undefined): boolean {
  return a !== undefined && a.address.toLowerCase() === b?.address.toLowerCase()
}

/**
 * Reads the tokens of a network that can be swapped: the native currency, then the others by symbol. Returns none, without a request, for a network
 * that the gateway does not serve, or that has no exchanges.
 *
 * @param address only the token with this plain address, even if it is on no list.
 * @throws what a call throws (see `createTransport`).
 */
export async function readSwapTokens(
  hawser: Hawser,
  network: Network,
  signal?: AbortSignal,
  address?: string,
): Promise<readonly SwapToken[]> {
  const { caipNetworkId } = network
  const served = await readServedFeatures(hawser)
  if (!isNetworkServed(served, network) || !isSwapNetwork(served, network)) return []
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
 * Returns the token that a text names by its address, plain or as CAIP-10, or by its symbol.
 *
 * @param tokens the first one wins if several have the symbol.
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

/** Returns the row of a token in the balance list. */
export function rowOf(state: ChainState, token: SwapToken): TokenBalance | undefined {
  const isNative = isNativeSwapToken(token)
  return selectAccount(state).tokenBalance.find(({ address }) =>
    isNative ? address === undefined : address?.toLowerCase() === token.address.toLowerCase(),
  )
}

/** Returns the balance of a token in base units; undefined until it is known. */
export function swapBalance(
  { balances }: SwapState,
  state: ChainState,
  token: SwapToken,
): bigint | undefined {
  const native = isNativeSwapToken(token) ? nativeBalance(state) : undefined
  if (native !== undefined) return native
  const row = rowOf(state, token)
  return row ? baseUnits(row) : balances[token.address.toLowerCase()]
}

/** Returns the native balance in base units, by the decimals that it was formatted with: a token of the gateway may have others. */
function nativeBalance(state: ChainState): bigint | undefined {
  const { balance } = selectAccount(state)
  const network = selectNetwork(state)
  if (balance === undefined || !network) return undefined
  try {
    return parseUnits(balance, network.nativeCurrency.decimals)
  } catch {
    // The text is of an earlier visit, when the site had other decimals.
    return undefined
  }
}

/** Returns US dollars per whole token, for display only; undefined if unknown. */
export function swapPrice({ prices }: SwapState, state: ChainState, token: SwapToken): number | undefined {
  return rowOf(state, token)?.price || prices[token.address.toLowerCase()] || undefined
}

/** Loads the prices of both tokens and of the native currency that the balance list does not have. Never throws. */
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
    const loaded = fungibles.map(({ address, price }) => [address.toLowerCase(), price] as const)
    hawser.swap.setState(({ prices }) => ({ prices: { ...prices, ...Object.fromEntries(loaded) } }))
  } catch {
    // Prices are only for display.
  }
}

/** Returns the other side. */
export function otherSide(side: SwapSide): SwapSide {
  return side === 'sourceToken' ? 'toToken' : 'sourceToken'
}
