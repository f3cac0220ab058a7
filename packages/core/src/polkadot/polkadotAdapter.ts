import '../connected.ts'
import { blake2b } from '@noble/hashes/blake2.js'
import { formatUnits } from '../amounts/units.ts'
import { createAccountSessions } from '../connection/accountSessions.ts'
import { importModule } from '../importModule.ts'
import type { HawserStorage } from '../storage/hawserStorage.ts'
import type { ChainAdapter } from '../types/adapter.ts'
import type { Clock, NodeRequest } from '../types/environment.ts'
import type { CaipNetworkId } from '../types/network.ts'
import { accountId } from './address.ts'
import { hexOf } from './bytes.ts'
import { Lifetimes } from './lifetimes.ts'
import { withLocalAddresses } from './localAddresses.ts'
import type { Runtimes } from './runtime.ts'

/** The key of the storage map `System.Account` (twox128 of both names); a hash of the account and the account follow. */
const ACCOUNTS = '26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9'
/** Where the free balance is in an account's value, after four counters of 32 bits. */
const FREE_OFFSET = 16
const FREE_SIZE = 16

/** The parts of the gateway that the adapter uses. */
export interface PolkadotGateway {
  /** Returns the node of a network. */
  nodeOf(caipNetworkId: CaipNetworkId): NodeRequest
  /** Returns the URL of the icon of a network's native token. */
  iconOf(caipNetworkId: CaipNetworkId): string
}

/** Connects Polkadot wallets. */
export function createPolkadotAdapter(
  clock: Clock,
  storage: HawserStorage,
  { nodeOf, iconOf }: PolkadotGateway,
): ChainAdapter<'polkadot'> {
  const lifetimes = new Lifetimes(storage)
  const failures = new Map<string, string>()
  let runtimes: Runtimes | undefined

  /** Loads the code that reads metadata. */
  async function loadRuntimes(): Promise<Runtimes> {
    const { Runtimes } = await importModule(() => import('./runtime.ts'), 'Runtimes')
    runtimes ??= new Runtimes()
    return runtimes
  }

  return {
    ...withLocalAddresses(createAccountSessions<'polkadot'>(clock)),
    namespace: 'polkadot',

    nativeBalance: ({ node }, address, signal) => readFree(node, address, signal),

    /** Lists the only asset: the balance services of the gateway do not support Polkadot. */
    async walletAssets(_session, address, { caipNetworkId, nativeCurrency: { name, symbol, decimals } }) {
      const numeric = formatUnits(await readFree(nodeOf(caipNetworkId), address), decimals)
      const quantity = { decimals: String(decimals), numeric }
      return [
        {
          name,
          symbol,
          chainId: caipNetworkId,
          value: 0,
          price: 0,
          quantity,
          iconUrl: iconOf(caipNetworkId),
        },
      ]
    },

    async receipt(network, hash, signal) {
      const [{ readOutcome }, loaded] = await Promise.all([
        importModule(() => import('./outcome.ts'), 'readOutcome'),
        loadRuntimes(),
      ])
      return readOutcome(network, hash, { runtimes: loaded, lifetimes, failures }, signal)
    },

    failureOf: (hash) => failures.get(hash),

    signMessage: ({ provider }, from, message) =>
      provider.signMessage(from, new TextEncoder().encode(message)),

    async transfers() {
      const [{ createPolkadotTransfers }, loaded] = await Promise.all([
        importModule(() => import('./polkadotTransfers.ts'), 'createPolkadotTransfers'),
        loadRuntimes(),
      ])
      return createPolkadotTransfers(loaded, lifetimes)
    },
  }
}

/** Returns the plancks of an account that are not reserved. An account without a value has none. */
async function readFree(node: NodeRequest, address: string, signal?: AbortSignal): Promise<bigint> {
  const id = accountId(address)
  if (!id) throw new TypeError('The address does not belong to the namespace')
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
