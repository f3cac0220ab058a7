import '../connected.ts'
import { blake2b } from '@noble/hashes/blake2.js'
import { formatUnits } from '../amounts/units.ts'
import { createAccountSessions } from '../connection/accountSessions.ts'
import { thrown } from '../errors/thrown.ts'
import type { ChainAdapter } from '../types/adapter.ts'
import type { Clock, NodeRequest } from '../types/environment.ts'
import type { CaipNetworkId } from '../types/network.ts'
import { accountId } from './address.ts'

/** The key of the storage map `System.Account` (twox128 of both names); a hash of the account and the account follow. */
const ACCOUNTS = '26aa394eea5630e07c48ae0c95cef7f9b99d880ec681799c0cf30e8886371da9'
/** Where the free balance is in an account's value, after four counters of 32 bits. */
const FREE_OFFSET = 16
const FREE_SIZE = 16

/**
 * Connects Polkadot wallets: accounts, balance of the native token, and signatures of texts.
 *
 * @param nodeOf returns the node of a network, behind the gateway.
 */
export function createPolkadotAdapter(
  clock: Clock,
  nodeOf: (caipNetworkId: CaipNetworkId) => NodeRequest,
): ChainAdapter<'polkadot'> {
  return {
    ...createAccountSessions<'polkadot'>(clock),
    namespace: 'polkadot',

    nativeBalance: ({ node }, address, signal) => readFree(node, address, signal),

    /** Lists the one asset that there is: the balance services of the gateway do not know Polkadot. */
    async walletAssets(_session, address, { caipNetworkId, nativeCurrency: { name, symbol, decimals } }) {
      const numeric = formatUnits(await readFree(nodeOf(caipNetworkId), address), decimals)
      const quantity = { decimals: String(decimals), numeric }
      return [{ name, symbol, chainId: caipNetworkId, value: 0, price: 0, quantity, iconUrl: '' }]
    },

    receipt: unsupported,

    signMessage: ({ provider }, from, message) =>
      provider.signMessage(from, new TextEncoder().encode(message)),

    async transfers() {
      return {
        isAddress: (text) => accountId(text) !== undefined,
        quote: unsupported,
        send: unsupported,
      }
    },
  }
}

/** Returns the plancks of an account that are not reserved. An account without a value has none. */
async function readFree(node: NodeRequest, address: string, signal?: AbortSignal): Promise<bigint> {
  const id = accountId(address)
  if (!id) throw new TypeError('The address is not of the namespace')
  const key = `0x${ACCOUNTS}${hexOf(blake2b(id, { dkLen: 16 }))}${hexOf(id)}`
  const value = (await node('state_getStorage', [key], signal)) as string | null
  if (value === null) return 0n
  const digits = value.slice(2 + 2 * FREE_OFFSET, 2 + 2 * (FREE_OFFSET + FREE_SIZE))
  if (!/^0x[0-9a-f]+$/.test(value) || digits.length !== 2 * FREE_SIZE) {
    throw new Error('The node returned no account')
  }
  // Integers are little-endian.
  return BigInt(`0x${(digits.match(/../g) ?? []).reverse().join('')}`)
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Rejects: transfers are not available in the namespace. @throws Error "Unsupported chain". */
async function unsupported(): Promise<never> {
  throw new Error(thrown.unsupportedChain)
}
