import { contractsOf } from '../chain/adapters.ts'
import type { Hawser } from '../types/hawser.ts'
import type { SessionOwner } from './owner.ts'

/** Validity of a proof, in seconds. */
const VALIDITY = 300

/** The account's signature of a call, as the gateway requires it. */
export interface AccountProof {
  readonly signature: string
  /** 0x and 64 hex digits, for one use. */
  readonly nonce: string
  /** Unix seconds. */
  readonly deadline: number
}

const lastFields = [
  { name: 'account', type: 'address' },
  { name: 'chainId', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
  { name: 'deadline', type: 'uint64' },
]

/**
 * Signs with the wallet that the account itself makes a call (EIP-712).
 *
 * @param pci of the session to revoke.
 * @throws the wallet's error when the visitor declines.
 */
export async function proveAccount(
  hawser: Hawser,
  { address, network, wallet }: SessionOwner,
  primaryType: 'ListSessions' | 'RevokeSession',
  pci?: string,
): Promise<AccountProof> {
  const nonce = randomWord()
  const deadline = Math.floor(hawser.clock.now() / 1_000) + VALIDITY
  const chainId = Number(network.id)
  const typedData = JSON.stringify({
    // A proof for one installation is not one for another.
    domain: {
      name: `Hawser Sessions at ${new URL(hawser.options.getState().baseUrl).origin}`,
      version: '1',
      chainId,
    },
    primaryType,
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
      ],
      [primaryType]: pci ? [{ name: 'pci', type: 'string' }, ...lastFields] : lastFields,
    },
    message: { ...(pci && { pci }), account: address, chainId, nonce, deadline },
  })
  const contracts = await contractsOf(hawser, network.chainNamespace)
  const signature = await contracts.signTypedData(wallet, address, typedData, network.caipNetworkId)
  return { signature, nonce, deadline }
}

function randomWord(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
