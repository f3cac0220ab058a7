import { caipNetworkId, evmChainId } from '../chainId.ts'
import type { Handlers, SiteContext } from './context.ts'
import { userOn } from './user.ts'

/** Returns the handlers of calls about the network in use, and about those with smart accounts. */
export function networkHandlers(
  context: SiteContext,
): Handlers<'SWITCH_NETWORK' | 'GET_CHAIN_ID' | 'GET_SMART_ACCOUNT_ENABLED_NETWORKS'> {
  const { site, vault, state } = context
  return {
    async SWITCH_NETWORK({ chainId }) {
      state.network = caipNetworkId(chainId)
      if (site.isLegacy) return { chainId }
      // The account may have another address on this network.
      const found = (await vault.isSignedIn()) ? await userOn(context).catch(() => undefined) : undefined
      return { chainId: state.network, ...(found && { address: found.address }) }
    },
    GET_CHAIN_ID: async () => ({ chainId: state.network }),
    GET_SMART_ACCOUNT_ENABLED_NETWORKS: async () => ({
      smartAccountEnabledNetworks: (await smartNetworks(context)).map(evmChainId),
    }),
  }
}

/** Returns the networks with smart accounts; none where the installation has no bundler. */
async function smartNetworks({ smartAccounts }: SiteContext): Promise<readonly string[]> {
  const accounts = await smartAccounts()
  return accounts.networks().catch(() => [])
}
