import { type Address, encodeFunctionData, getAddress, keccak256, parseAbi } from 'viem'
import { type AccountContracts, proxyAddress } from '../smartAccount/proxyAccount.ts'
import { FrameError, providerErrorCode } from '../wallet/frameError.ts'

const abi = parseAbi(['function initialize(address[] signers, uint256 threshold)'])
const MAX_KEYS = 2
/** Digits of an uncompressed key. */
const KEY_DIGITS = 130

/** Returns the account of a session: a MultiSigDeleGator that needs the signatures of all keys, deployed by its first operation. */
export function sessionAccount(owners: readonly Address[], contracts: AccountContracts): Address {
  const sorted = [...owners].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
  const initialization = encodeFunctionData({ abi, args: [sorted, BigInt(sorted.length)] })
  return proxyAddress(contracts, initialization)
}

/**
 * Returns the accounts of the keys of a session, one or two of the type secp256k1, as `signer.data` of a request has them.
 *
 * @throws FrameError -32602
 */
export async function ownersOf(keys: readonly unknown[]): Promise<Address[]> {
  const { secp256k1 } = await import('@noble/curves/secp256k1')
  if (keys.length < 1 || keys.length > MAX_KEYS)
    throw new FrameError('A session has one or two keys', providerErrorCode.invalidParams)
  return keys.map((key) => {
    try {
      const { type, publicKey } = key as { type: string; publicKey: string }
      if (type !== 'secp256k1') throw new Error('type is not supported')
      const point = secp256k1.ProjectivePoint.fromHex(digitsOf(publicKey))
      return getAddress(`0x${keccak256(`0x${point.toHex(false).slice(2)}`).slice(-40)}`)
    } catch {
      throw new FrameError('A key of the session is malformed', providerErrorCode.invalidParams)
    }
  })
}

/** Returns the digits of a public key; clients of older services send them as text in hex. */
function digitsOf(publicKey: string): string {
  const digits = publicKey.replace(/^0x/, '')
  if (digits.length <= KEY_DIGITS) return digits
  const bytes = digits.match(/../g) ?? []
  return bytes
    .map((byte) => String.fromCharCode(Number.parseInt(byte, 16)))
    .join('')
    .replace(/^0x/, '')
}
