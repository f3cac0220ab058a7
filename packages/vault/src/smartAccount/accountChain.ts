import type { Hex } from 'viem'
import { BundlerError } from './bundlerClient.ts'
import type { AccountChain } from './bundlerTypes.ts'
import { type HybridAccount, hybridAccount } from './hybridAccount.ts'

export const UNSUPPORTED_CHAIN = 5710

/** Reports whether the accounts of keys can run code themselves (EIP-7702). */
export const canDelegate = ({ delegation, implementation }: AccountChain) =>
  delegation === true && !!implementation

/** Reports whether a network has smart accounts of either kind. */
export const isOffered = (on: AccountChain) =>
  !!on.entryPoint && (canDelegate(on) || contractsOf(on) !== undefined)

function contractsOf({ factory, factoryImplementation }: AccountChain) {
  if (!factory || !factoryImplementation) return undefined
  return { factory: factory as Hex, implementation: factoryImplementation as Hex }
}

/** Returns the HybridDeleGator of a key; undefined on a network without its contracts. */
export function hybridOf(on: AccountChain, owner: Hex): HybridAccount | undefined {
  const contracts = contractsOf(on)
  return contracts && hybridAccount(owner, contracts)
}

/**
 * Returns the HybridDeleGator of a key at an address.
 *
 * @throws BundlerError 5710 if the key has another address, or none
 */
export function hybridAt(on: AccountChain, owner: Hex, account: Hex): HybridAccount {
  const hybrid = hybridOf(on, owner)
  if (hybrid?.address.toLowerCase() === account.toLowerCase()) return hybrid
  throw new BundlerError(UNSUPPORTED_CHAIN, 'The network has no such smart account')
}

/** Returns the addresses of the smart accounts of a key, as `SmartAccounts.addresses` does. */
export function addressesOf(on: AccountChain, owner: Hex): readonly Hex[] {
  const hybrid = hybridOf(on, owner)
  return [...(canDelegate(on) ? [owner] : []), ...(hybrid ? [hybrid.address] : [])]
}
