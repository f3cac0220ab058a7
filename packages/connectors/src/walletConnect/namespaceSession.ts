import type { AccountEntry, AccountProvider, CaipNetworkId, ConnectorContext, Namespace } from '@hawser/core'
import { accountsOf, chainOf, type Session, type SignClient } from '@hawser/walletconnect'
import { networkOf } from './networkIds.ts'
import { asProviderError, unauthorized } from './sessionErrors.ts'
import { requestOfWallet } from './walletRequest.ts'

/** The part of the newest session that is of one namespace without EIP-1193. */
export interface NamespaceSession extends AccountProvider {
  /**
   * Sends a request to the wallet.
   *
   * @param caipNetworkId the first network of the session when undefined.
   * @throws ProviderError with code 4100 without a session, or with the code of the wallet's answer.
   */
  request(method: string, params: object, caipNetworkId?: CaipNetworkId): Promise<Record<string, unknown>>
  /** The accounts of the session changed, or it ended. */
  changed(): void
}

export interface NamespaceSessionDeps {
  readonly client: SignClient
  readonly context: Pick<ConnectorContext, 'openWallet'>
  readonly current: () => Session | undefined
}

/**
 * Creates the part of a namespace.
 *
 * @param entriesOf returns the accounts of addresses, in their order.
 */
export function createNamespaceSession(
  { client, context, current }: NamespaceSessionDeps,
  namespace: Namespace,
  entriesOf: (addresses: readonly string[], caipNetworkId?: CaipNetworkId) => readonly AccountEntry[],
): NamespaceSession {
  const listeners = new Set<(accounts: readonly AccountEntry[]) => void>()
  let network: CaipNetworkId | undefined

  /** CAIP-10. */
  function accounts(): readonly string[] {
    return accountsOf(current()?.namespaces ?? {}).filter((account) => account.startsWith(`${namespace}:`))
  }

  function entries(): readonly AccountEntry[] {
    const addresses = accounts().map((account) => account.slice(chainOf(account).length + 1))
    return entriesOf([...new Set(addresses)], network)
  }

  /** Returns the id that the wallet has for a network, which may be an older one. */
  function chainIn(caipNetworkId: CaipNetworkId | undefined): string | undefined {
    const chains = accounts().map(chainOf)
    if (!caipNetworkId) return chains[0]
    return chains.find((chain) => networkOf(chain) === caipNetworkId) ?? caipNetworkId
  }

  return {
    get networks() {
      return [...new Set(accounts().map((account) => networkOf(chainOf(account))))]
    },

    async connect({ caipNetworkId } = {}) {
      network = caipNetworkId
      return entries()
    },

    onAccounts(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    async request(method, params, caipNetworkId) {
      const topic = current()?.topic
      const chainId = chainIn(caipNetworkId)
      if (!topic || !chainId) throw unauthorized()
      try {
        return Object(await requestOfWallet(client, context, { topic, chainId, method, params }))
      } catch (error) {
        throw asProviderError(error)
      }
    },

    changed() {
      for (const listener of [...listeners]) listener(entries())
    },
  }
}
