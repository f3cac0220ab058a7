import { selectAccount } from '../chain/selectors.ts'
import type { Hawser } from '../types/hawser.ts'
import type { CaipAddress, Network } from '../types/network.ts'

/** Whose holdings and history are meant: one account on one network. */
export interface AccountOwner {
  readonly caipAddress: CaipAddress
  readonly address: string
  readonly network: Network
}

/** The account in use; undefined while nobody is connected. */
export function activeOwner(hawser: Hawser): AccountOwner | undefined {
  const state = hawser.chain.getState()
  const { activeCaipNetwork: network, activeCaipAddress: caipAddress } = state
  const { address } = selectAccount(state)
  return network && caipAddress && address ? { caipAddress, address, network } : undefined
}
