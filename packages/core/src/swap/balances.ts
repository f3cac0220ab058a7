import { type AccountOwner, activeOwner } from '../account/owner.ts'
import { adapterOf, nodeOf } from '../chain/adapters.ts'
import type { Hawser } from '../types/hawser.ts'
import type { SwapToken } from '../types/swap.ts'
import { isNativeSwapToken, plainAddress, rowOf } from './tokens.ts'

/**
 * Reads from the chain what the account holds of the two tokens, of those that the balance list leaves out: it lists no
 * tokens without decimals, and none that nobody has heard of. Never throws.
 */
export async function loadSwapBalances(hawser: Hawser): Promise<void> {
  const owner = activeOwner(hawser)
  if (!owner) return
  const { sourceToken, toToken } = hawser.swap.getState()
  const untold = [sourceToken, toToken].filter(
    (token) => token && !isNativeSwapToken(token) && !rowOf(hawser.chain.getState(), token),
  )
  await Promise.all(untold.map((token) => token && loadBalance(hawser, owner, token)))
}

async function loadBalance(hawser: Hawser, owner: AccountOwner, { address }: SwapToken): Promise<void> {
  const { caipAddress, network } = owner
  const { isCurrent, signal } = hawser.latest.begin(`swap:balance:${address}`)
  try {
    const contracts = await adapterOf(hawser, network.chainNamespace).contracts()
    const node = nodeOf(hawser, network)
    const balance = await contracts.balanceOf(node, plainAddress(address), owner.address, signal)
    if (!isCurrent() || hawser.swap.getState().owner !== caipAddress) return
    hawser.swap.setState(({ balances }) => ({ balances: { ...balances, [address.toLowerCase()]: balance } }))
  } catch {
    // What cannot be read stays unknown: the gateway has the last word when the swap is built.
  }
}
