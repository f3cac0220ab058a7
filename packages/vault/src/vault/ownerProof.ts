import type { TypedDataDefinition } from 'viem'

/** A change that a user makes. */
export interface OwnChange {
  /** Name of the call, such as `UnlinkIdentity`. */
  readonly change: string
  /** What it is about, as `ChangeProof` of the service describes. */
  readonly subject: string
  /** Unix seconds until which the signature is valid. */
  readonly deadline: number
}

const ownerFields = [
  { name: 'user', type: 'string' },
  { name: 'account', type: 'address' },
]
const changeFields = [
  { name: 'change', type: 'string' },
  { name: 'subject', type: 'string' },
  { name: 'deadline', type: 'uint64' },
]

/**
 * Returns the typed data (EIP-712) that proves to the service that a user holds the key of an address, or with a change, that the user makes
 * it. It is for one installation. The frame signs nothing of this type for a site.
 *
 * @param origin of the wallet's pages
 */
export function ownerProof(
  origin: string,
  user: string,
  account: string,
  change: OwnChange | undefined,
): TypedDataDefinition {
  return {
    domain: { name: `Hawser Wallet at ${origin}`, version: '1' },
    types: { WalletOwner: change ? [...ownerFields, ...changeFields] : ownerFields },
    primaryType: 'WalletOwner',
    message: { user, account, ...(change && { ...change, deadline: BigInt(change.deadline) }) },
  }
}
