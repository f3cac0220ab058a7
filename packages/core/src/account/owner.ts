import { selectAccount } from '../chain/selectors.ts'
import type { Hawser } from '../types/hawser.ts'
import type { CaipAddress, Network } from '../types/network.ts'

/** An account on one network, whose holdings and history are shown. */
export interface AccountOwner {
  readonly caipAddress: CaipAddress
  readonly address: string
  readonly network: Network
}

/** Returns the active account; undefined while none is connected. */
export function activeOwner(hawser: Hawser): AccountOwner | undefined {
  const state = hawser.chain.getState()
  const { activeCaipNetwork: network, activeCaipAddress: caipAddress } = state
  const { address } = selectAccount(state)
  return network && caipAddress && address ? { caipAddress, address, network } : undefined
}
