import { type AccountOwner, activeOwner } from '../account/owner.ts'
import { plainAddress } from '../address/plainAddress.ts'
import { contractsOf, nodeOf } from '../chain/adapters.ts'
import type { Hawser } from '../types/hawser.ts'
import type { SwapToken } from '../types/swap.ts'
import { isNativeSwapToken, rowOf } from './tokens.ts'

/**
 * Reads the account's balances of the two tokens from the chain if the balance list does not have them: it leaves out tokens without decimals, and
 * tokens on no list. Never throws.
 */
export async function loadSwapBalances(hawser: Hawser): Promise<void> {
  const owner = activeOwner(hawser)
  if (!owner) return
  const { sourceToken, toToken } = hawser.swap.getState()
  const unlisted = [sourceToken, toToken].filter(
    (token) => token && !isNativeSwapToken(token) && !rowOf(hawser.chain.getState(), token),
  )
  await Promise.all(unlisted.map((token) => token && loadBalance(hawser, owner, token)))
}

async function loadBalance(hawser: Hawser, owner: AccountOwner, { address }: SwapToken): Promise<void> {
  const { caipAddress, network } = owner
  const { isCurrent, signal } = hawser.latest.begin(`swap:balance:${address}`)
  try {
    const contracts = await contractsOf(hawser, network.chainNamespace)
    const node = nodeOf(hawser, network)
    const balance = await contracts.balanceOf(node, plainAddress(address), owner.address, signal)
    if (!isCurrent() || hawser.swap.getState().owner !== caipAddress) return
    hawser.swap.setState(({ balances }) => ({ balances: { ...balances, [address.toLowerCase()]: balance } }))
  } catch {
    // An unreadable balance stays unknown: the gateway checks it when it builds the swap.
  }
}
