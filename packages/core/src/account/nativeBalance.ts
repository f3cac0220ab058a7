import { formatUnits } from '../amounts/units.ts'
import { accessTo, adapterOf } from '../chain/adapters.ts'
import { updateAccount } from '../chain/chainState.ts'
import { selectAccount } from '../chain/selectors.ts'
import { NATIVE_BALANCE_CACHE_MS } from '../constants.ts'
import { isServed } from '../gateway/servedFeatures.ts'
import type { Latest } from '../latestOnly.ts'
import { caches } from '../storage/items.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'
import { type AccountOwner, activeOwner } from './owner.ts'

export interface NativeBalanceOptions {
  /** Sends a new request even while one is pending, because the balance changed meanwhile. */
  readonly bypassCache?: boolean
}

/**
 * Reads the native balance of the active account from the chain and shows it. A value of the last 30 seconds is shown
 * until the node answers.
 *
 * @returns base units; undefined when no account is connected or the balance is unknown. Never throws.
 */
export async function fetchNativeBalance(
  hawser: Hawser,
  { bypassCache = false }: NativeBalanceOptions = {},
): Promise<bigint | undefined> {
  const owner = activeOwner(hawser)
  if (!owner) return undefined
  if (bypassCache) hawser.latest.abandon('balance:native')
  return hawser.latest.share('balance:native', owner.caipAddress, (latest) =>
    readBalance(hawser, owner, latest),
  )
}

/** Shows a native balance that was pushed. A response to an earlier request is older and is dropped. */
export function takeNativeBalance(
  hawser: Hawser,
  { caipAddress, network }: AccountOwner,
  value: bigint,
): void {
  hawser.latest.abandon('balance:native')
  updateAccount(hawser.chain, network.chainNamespace, { balanceLoading: false })
  keep(hawser, caipAddress, network, value)
}

async function readBalance(hawser: Hawser, owner: AccountOwner, latest: Latest): Promise<bigint | undefined> {
  const { caipAddress, address, network } = owner
  const namespace = network.chainNamespace
  showCached(hawser, owner)
  updateAccount(hawser.chain, namespace, { balanceLoading: true })
  try {
    const adapter = await adapterOf(hawser, namespace)
    if (!adapter.hasOwnService && !(await isServed(hawser, network.caipNetworkId))) return undefined
    const value = await adapter.nativeBalance(accessTo(hawser, network), address, latest.signal)
    if (!latest.isCurrent()) return undefined
    keep(hawser, caipAddress, network, value)
    return value
  } catch {
    return undefined
  } finally {
    if (latest.isCurrent()) updateAccount(hawser.chain, namespace, { balanceLoading: false })
  }
}

function keep(hawser: Hawser, caipAddress: string, network: Network, value: bigint): void {
  const text = formatUnits(value, network.nativeCurrency.decimals)
  show(hawser, network, text)
  hawser.storage.writeCached(caches.nativeBalance, caipAddress, text)
}

function showCached(hawser: Hawser, { caipAddress, network }: AccountOwner): void {
  if (selectAccount(hawser.chain.getState()).balance !== undefined) return
  const cached = hawser.storage.readCached(caches.nativeBalance, caipAddress, NATIVE_BALANCE_CACHE_MS)
  if (typeof cached === 'string') show(hawser, network, cached)
}

function show(hawser: Hawser, { chainNamespace, nativeCurrency }: Network, balance: string): void {
  updateAccount(hawser.chain, chainNamespace, { balance, balanceSymbol: nativeCurrency.symbol })
}
