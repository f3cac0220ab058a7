import type { Hex } from 'viem'
import { expectAddress, isSameAddress } from './params.ts'
import type { SigningContext } from './signingContext.ts'

/** An account of the user on a network. */
export interface UserAccount {
  readonly address: Hex
  /** The account is a contract of its own, a HybridDeleGator. */
  readonly isContract: boolean
}

type AccountContext = Pick<SigningContext, 'addresses' | 'chainId' | 'preferredAccount' | 'smartAccounts'>

/** Returns the account that a request names; without a name, that of the type which the user prefers. @throws FrameError 4100 */
export async function requestedAccount(
  { addresses, chainId, preferredAccount, smartAccounts }: AccountContext,
  named: unknown,
): Promise<UserAccount> {
  const owner = addresses.eip155 as Hex
  const plain = { address: owner, isContract: false }
  if (named === undefined && preferredAccount() === 'eoa') return plain
  if (isSameAddress(named, owner)) return plain
  const own = await smartAccounts.addresses(chainId, owner)
  if (named !== undefined) expectAddress(named, ...own)
  const smart = named === undefined ? own[0] : own.find((address) => isSameAddress(named, address))
  return smart && !isSameAddress(smart, owner) ? { address: smart, isContract: true } : plain
}
