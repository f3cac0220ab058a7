import type { ChainAdapter, WalletSession } from '../types/adapter.ts'
import type { Connector } from '../types/connector.ts'
import type { Clock } from '../types/environment.ts'
import type { CaipNetworkId, Namespace, Network } from '../types/network.ts'
import type { AccountProvider, Providers } from '../types/providers.ts'
import { askSilently, SILENT_DEADLINE_MS, within } from './deadlines.ts'

type AccountNamespace = Exclude<Namespace, 'eip155'>

/** The part of an adapter that connects wallets whose provider has accounts and no network of its own. */
type AccountSessions<N extends Namespace> = Pick<
  ChainAdapter<N>,
  'connect' | 'reconnect' | 'disconnect' | 'watch'
>

/** Connects the wallets of a namespace without EIP-1193. */
export function createAccountSessions<N extends AccountNamespace>(clock: Clock): AccountSessions<N> {
  async function open(
    connector: Connector<N>,
    network: Network,
    isSilent: boolean,
  ): Promise<WalletSession<N>> {
    const provider = await connector.getProvider()
    const caipNetworkId = networkOf(provider, network)
    const accounts = await provider.connect({ isSilent, caipNetworkId })
    const relay = await connector.getSession?.()
    const endsWithTab = await connector.endsWithTab?.()
    return {
      accounts,
      provider,
      caipNetworkId,
      ...(provider.networks && { networks: provider.networks }),
      ...(relay && { relay }),
      ...(endsWithTab && { endsWithTab }),
    }
  }

  return {
    connect: (connector, network) => open(connector, network, false),

    async reconnect(connector, network) {
      const session = await askSilently(clock, connector, () => open(connector, network, true))
      return session.accounts.length > 0 ? session : undefined
    },

    async disconnect(connector) {
      if (connector.disconnect) return connector.disconnect()
      await within(clock, SILENT_DEADLINE_MS, async () => (await connector.getProvider()).disconnect?.())
    },

    watch: ({ provider }, { accountsChanged }) => (provider as Providers[N]).onAccounts(accountsChanged),
  }
}

/** Returns the site's network if the wallet signs for it, otherwise one that it signs for. */
function networkOf({ networks }: AccountProvider, { caipNetworkId }: Network): CaipNetworkId {
  if (!networks || networks.includes(caipNetworkId)) return caipNetworkId
  return networks[0] ?? caipNetworkId
}
