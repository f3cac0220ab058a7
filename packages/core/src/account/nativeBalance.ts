import { formatUnits } from '../amounts/units.ts'
import { adapterOf, nodeOf } from '../chain/adapters.ts'
import { updateAccount } from '../chain/chainState.ts'
import { selectAccount } from '../chain/selectors.ts'
import { NATIVE_BALANCE_CACHE_MS } from '../constants.ts'
import type { Latest } from '../latestOnly.ts'
import { caches } from '../storage/items.ts'
import type { Hawser } from '../types/hawser.ts'
import type { CaipAddress, Network } from '../types/network.ts'

interface Owner {
  readonly caipAddress: CaipAddress
  readonly address: string
  readonly network: Network
}

export interface NativeBalanceOptions {
  /** Asks anew even while the node is being asked: something has changed since. */
  readonly afresh?: boolean
}

/**
 * Reads the native balance of the active account from the chain and shows it. A value of the last 30 seconds is
 * shown while the node is asked.
 *
 * @returns base units; undefined when nobody is connected, or when it cannot be known. Never throws.
 */
export async function fetchNativeBalance(
  hawser: Hawser,
  { afresh = false }: NativeBalanceOptions = {},
): Promise<bigint | undefined> {
  const { activeCaipNetwork: network, activeCaipAddress: caipAddress } = hawser.chain.getState()
  const { address } = selectAccount(hawser.chain.getState())
  if (!network || !caipAddress || !address) return undefined
  if (afresh) hawser.latest.abandon('balance:native')
  return hawser.latest.share('balance:native', caipAddress, (latest) =>
    readBalance(hawser, { caipAddress, address, network }, latest),
  )
}

async function readBalance(hawser: Hawser, owner: Owner, latest: Latest): Promise<bigint | undefined> {
  const { caipAddress, address, network } = owner
  const namespace = network.chainNamespace
  showCached(hawser, owner)
  updateAccount(hawser.chain, namespace, { balanceLoading: true })
  try {
    if (!(await hawser.servedChains.has(network.caipNetworkId))) return undefined
    const adapter = adapterOf(hawser, namespace)
    const value = await adapter.nativeBalance(nodeOf(hawser, network), address, latest.signal)
    if (!latest.isCurrent()) return undefined
    const text = formatUnits(value, network.nativeCurrency.decimals)
    show(hawser, network, text)
    hawser.storage.writeCached(caches.nativeBalance, caipAddress, text)
    return value
  } catch {
    return undefined
  } finally {
    if (latest.isCurrent()) updateAccount(hawser.chain, namespace, { balanceLoading: false })
  }
}

function showCached(hawser: Hawser, { caipAddress, network }: Owner): void {
  if (selectAccount(hawser.chain.getState()).balance !== undefined) return
  const cached = hawser.storage.readCached(caches.nativeBalance, caipAddress, NATIVE_BALANCE_CACHE_MS)
  if (typeof cached === 'string') show(hawser, network, cached)
}

function show(hawser: Hawser, { chainNamespace, nativeCurrency }: Network, balance: string): void {
  updateAccount(hawser.chain, chainNamespace, { balance, balanceSymbol: nativeCurrency.symbol })
}
