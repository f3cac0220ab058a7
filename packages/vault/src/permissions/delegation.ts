import {
  type Address,
  decodeAbiParameters,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hashStruct,
  maxUint256,
  numberToHex,
  parseAbi,
  type TypedDataDefinition,
} from 'viem'
import { FrameError, providerErrorCode } from '../wallet/frameError.ts'

/** A condition of a delegation, which its enforcer checks at each use. `args` come from who uses it, and are not signed. */
export interface Caveat {
  readonly enforcer: Address
  readonly terms: Hex
  readonly args: Hex
}

/** The right of `delegate` to act for `delegator` (ERC-7710, Delegation Framework 1.3). */
export interface Delegation {
  readonly delegate: Address
  readonly delegator: Address
  /** Hash of the delegation that it derives from; `ROOT` for one that derives from no other. */
  readonly authority: Hex
  readonly caveats: readonly Caveat[]
  readonly salt: bigint
  readonly signature: Hex
}

/** Authority of a delegation that derives from no other. */
export const ROOT: Hex = numberToHex(maxUint256, { size: 32 })

const types = {
  Caveat: [
    { name: 'enforcer', type: 'address' },
    { name: 'terms', type: 'bytes' },
  ],
  Delegation: [
    { name: 'delegate', type: 'address' },
    { name: 'delegator', type: 'address' },
    { name: 'authority', type: 'bytes32' },
    { name: 'caveats', type: 'Caveat[]' },
    { name: 'salt', type: 'uint256' },
  ],
} as const

const struct = [
  'struct Caveat { address enforcer; bytes terms; bytes args; }',
  'struct Delegation { address delegate; address delegator; bytes32 authority; Caveat[] caveats; uint256 salt; bytes signature; }',
] as const
const managerAbi = parseAbi([...struct, 'function disableDelegation(Delegation delegation)'])
const nonceAbi = parseAbi([
  'function currentNonce(address delegationManager, address delegator) view returns (uint256)',
  'function incrementNonce(address delegationManager)',
])
const chain = [
  {
    type: 'tuple[]',
    components: managerAbi[0].inputs[0].components,
  },
] as const

/** Returns the typed data that the delegator signs. */
export function delegationTypedData(
  { delegate, delegator, authority, caveats, salt }: Omit<Delegation, 'signature'>,
  chainId: number,
  delegationManager: Address,
): TypedDataDefinition {
  return {
    domain: { name: 'DelegationManager', version: '1', chainId, verifyingContract: delegationManager },
    types,
    primaryType: 'Delegation',
    message: {
      delegate,
      delegator,
      authority,
      caveats: caveats.map(({ enforcer, terms }) => ({ enforcer, terms })),
      salt,
    },
  }
}

/** Returns the hash by which the DelegationManager knows a delegation. It does not depend on the signature. */
export function delegationHash(delegation: Omit<Delegation, 'signature'>): Hex {
  return hashStruct({ types, primaryType: 'Delegation', data: delegation })
}

/** Encodes a chain of delegations as the context of a session: the delegation that is used first, then those that it derives from. */
export function encodeContext(delegations: readonly Delegation[]): Hex {
  return encodeAbiParameters(chain, [
    delegations.map((delegation) => ({ ...delegation, caveats: [...delegation.caveats] })),
  ])
}

/**
 * Reads a context of one delegation that derives from no other.
 *
 * @throws FrameError -32602
 */
export function decodeContext(context: unknown): Delegation {
  try {
    const [delegations] = decodeAbiParameters(chain, context as Hex)
    const [only] = delegations
    if (only && delegations.length === 1 && only.authority === ROOT) return only
  } catch {
    // Reported below.
  }
  throw new FrameError('The context is not one delegation', providerErrorCode.invalidParams)
}

/** Returns the data of a call of `disableDelegation` at the DelegationManager. */
export function encodeDisable(delegation: Delegation): Hex {
  const args = [{ ...delegation, caveats: [...delegation.caveats] }] as const
  return encodeFunctionData({ abi: managerAbi, args })
}

/** Returns the data of a call of `currentNonce` at the NonceEnforcer. */
export function encodeCurrentNonce(delegationManager: Address, delegator: Address): Hex {
  return encodeFunctionData({
    abi: nonceAbi,
    functionName: 'currentNonce',
    args: [delegationManager, delegator],
  })
}

/** Returns the data of a call of `incrementNonce` at the NonceEnforcer, which ends all delegations of the caller with a NonceEnforcer. */
export function encodeIncrementNonce(delegationManager: Address): Hex {
  return encodeFunctionData({ abi: nonceAbi, functionName: 'incrementNonce', args: [delegationManager] })
}
