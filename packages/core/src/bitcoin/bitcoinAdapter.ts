import '../connected.ts'
import type { BitcoinService } from '@hawser/client/bitcoin'
import type { Client } from '@hawser/client/connect'
import { formatUnits } from '../amounts/units.ts'
import { createAccountSessions } from '../connection/accountSessions.ts'
import { importModule } from '../importModule.ts'
import type { AccountEntry } from '../types/account.ts'
import type { ChainAdapter } from '../types/adapter.ts'
import type { Clock } from '../types/environment.ts'
import type { CaipNetworkId } from '../types/network.ts'

/** Returns the client of the gateway's service for Bitcoin networks. */
export type BitcoinReader = () => Promise<Client<typeof BitcoinService>>

/**
 * Connects Bitcoin wallets. Networks are read through the gateway's own service: they have no JSON-RPC there.
 *
 * @param accountsOf returns the accounts that the connected wallet shares.
 */
export function createBitcoinAdapter(
  clock: Clock,
  reader: BitcoinReader,
  accountsOf: () => readonly AccountEntry[],
): ChainAdapter<'bip122'> {
  /** Returns the satoshis of an address, including unconfirmed transactions. */
  async function balanceOf(chainId: CaipNetworkId, address: string, signal?: AbortSignal): Promise<bigint> {
    const { confirmed, pending } = await (await reader()).getBalance(
      { chainId, address },
      signal ? { signal } : {},
    )
    return BigInt(confirmed) + BigInt(pending)
  }

  return {
    ...createAccountSessions<'bip122'>(clock),
    namespace: 'bip122',
    hasOwnService: true,

    nativeBalance: ({ caipNetworkId }, address, signal) => balanceOf(caipNetworkId, address, signal),

    /** Lists the only asset: the balance services of the gateway do not support Bitcoin. */
    async walletAssets(_session, address, { caipNetworkId, nativeCurrency: { name, symbol, decimals } }) {
      const numeric = formatUnits(await balanceOf(caipNetworkId, address), decimals)
      return [
        {
          name,
          symbol,
          chainId: caipNetworkId,
          value: 0,
          price: 0,
          quantity: { decimals: String(decimals), numeric },
          iconUrl: '',
        },
      ]
    },

    async history(network, address, cursor, signal) {
      const { readHistory } = await importModule(() => import('./bitcoinHistory.ts'), 'readHistory')
      return readHistory(await reader(), network, address, { now: clock.now(), cursor, signal })
    },

    async receipt({ caipNetworkId }, id, signal) {
      const { height } = await (await reader()).getTransaction(
        { chainId: caipNetworkId, id },
        signal ? { signal } : {},
      )
      return height > 0n ? 'success' : 'pending'
    },

    signMessage: ({ provider }, from, message) => provider.signMessage(from, message),

    async transfers() {
      const { createBitcoinTransfers } = await importModule(
        () => import('./bitcoinTransfers.ts'),
        'createBitcoinTransfers',
      )
      return createBitcoinTransfers(reader, accountsOf)
    },
  }
}
