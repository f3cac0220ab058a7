import { formatUnits } from '../amounts/units.ts'
import { adapterOf, nodeOf } from '../chain/adapters.ts'
import { updateAccount } from '../chain/chainState.ts'
import { selectAccount } from '../chain/selectors.ts'
import { NATIVE_BALANCE_CACHE_MS } from '../constants.ts'
import { caches } from '../storage/items.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'

/**
 * Reads the native balance of the active account from the chain and shows it. A value of the last 30 seconds is
 * shown while the node is asked.
 *
 * @returns base units; undefined when nobody is connected, it cannot be known, or a newer reading is under way.
 */
export async function fetchNativeBalance(hawser: Hawser): Promise<bigint | undefined> {
  const { activeCaipNetwork: network, activeCaipAddress: owner, activeChain } = hawser.chain.getState()
  const { address, balance } = selectAccount(hawser.chain.getState())
  if (!network || !owner || !address) return undefined

  const { signal, isCurrent } = hawser.latest.begin('balance:native')
  const cached = hawser.storage.readCached<string>(caches.nativeBalance, owner, NATIVE_BALANCE_CACHE_MS)
  if (typeof cached === 'string' && balance === undefined) show(hawser, network, cached)
  updateAccount(hawser.chain, activeChain, { balanceLoading: true })

  try {
    if (!(await hawser.servedChains.has(network.caipNetworkId))) return undefined
    const value = await adapterOf(hawser, activeChain).nativeBalance(nodeOf(hawser, network), address, signal)
    if (!isCurrent()) return undefined
    const text = formatUnits(value, network.nativeCurrency.decimals)
    show(hawser, network, text)
    hawser.storage.writeCached(caches.nativeBalance, owner, text)
    return value
  } catch {
    return undefined
  } finally {
    if (isCurrent()) updateAccount(hawser.chain, activeChain, { balanceLoading: false })
  }
}

function show(hawser: Hawser, { chainNamespace, nativeCurrency }: Network, balance: string): void {
  updateAccount(hawser.chain, chainNamespace, { balance, balanceSymbol: nativeCurrency.symbol })
}
