import type {
  AuthenticationRequest,
  ConnectorContext,
  Handoff,
  Namespace,
  Pairing,
  PairOptions,
  Providers,
  RelaySession,
  WalletProvider,
} from '@hawser/core'
import {
  accountsOf,
  type CoreOptions,
  chainOf,
  createSignClient,
  type PairRequest,
  type Session,
} from '@hawser/walletconnect'
import { events, methods } from './methods.ts'
import type { NamespaceSession, NamespaceSessionDeps } from './namespaceSession.ts'
import { networkOf, withOlderIds } from './networkIds.ts'
import { createSessionProvider } from './sessionProvider.ts'

/** The wallet at the other end of a session, and the pairings that lead to one. */
export interface SessionWallet {
  /** Loads the provider of the session's accounts of a namespace. */
  providerOf(namespace: Namespace): Promise<WalletProvider>
  /** @throws Error when no relay accepts the pairing within 15 seconds. */
  pair(options: PairOptions): Promise<Pairing>
  /**
   * Starts a hand-off to the browser of a wallet.
   *
   * @throws Error with a `code` of Connect: `permission_denied` for an origin that the project does not list.
   */
  handOff(options: PairOptions): Promise<Handoff>
  /** Returns the newest session; undefined without one. */
  getSession(): RelaySession | undefined
  disconnect(): Promise<void>
  close(): void
}

/** How long a relay may take to accept a pairing, in milliseconds: a code that is shown can be scanned. */
const ACCEPT_DEADLINE_MS = 15_000

type Account = RelaySession['accounts'][number]

type AccountNamespace = Exclude<Namespace, 'eip155'>

type AccountSession = Providers[AccountNamespace] & NamespaceSession

/** Loads the provider of a namespace. A site that lists no network of the namespace never does. */
const loaders: {
  readonly [N in AccountNamespace]: (deps: NamespaceSessionDeps) => Promise<Providers[N] & NamespaceSession>
} = {
  solana: async (deps) => (await import('./solanaSession.ts')).createSolanaSession(deps),
  bip122: async (deps) => (await import('./bitcoinSession.ts')).createBitcoinSession(deps),
  polkadot: async (deps) => (await import('./polkadotSession.ts')).createPolkadotSession(deps),
}

/** Creates the Sign client of a page, and its provider. */
export function createSessionWallet(
  relays: CoreOptions['relays'],
  storage: ConnectorContext['storage'],
  context: ConnectorContext,
): SessionWallet {
  const { metadata, log } = context
  const client = createSignClient(
    { relays, metadata, environment: { storage, log } },
    {
      added: () => provider.begin([]),
      updated({ topic }) {
        provider.updated(topic)
        changed()
      },
      deleted({ topic }) {
        provider.deleted(topic)
        changed()
      },
      event: ({ topic }, event, chainId) => {
        // Accounts of the others are read from the session.
        if (chainId.startsWith('eip155:')) provider.receive(topic, event, chainId)
      },
      refused: ({ refusal }) => context.relayRefused(refusal ?? 'token'),
    },
  )
  const current = () => client.sessions().at(-1)
  const sessions = new Map<Namespace, Promise<AccountSession>>()
  const provider = createSessionProvider({ client, storage, context, current })

  function changed(): void {
    for (const session of sessions.values()) void session.then((loaded) => loaded.changed())
  }

  function loadSession(namespace: AccountNamespace): Promise<AccountSession> {
    const known = sessions.get(namespace)
    if (known) return known
    const loading: Promise<AccountSession> = loaders[namespace]({ client, context, current })
    sessions.set(namespace, loading)
    loading.catch(() => sessions.delete(namespace))
    return loading
  }

  async function connected(approval: Promise<Session>, { networks }: PairOptions): Promise<RelaySession> {
    const session = await approval
    for (const { topic } of client.sessions()) if (topic !== session.topic) void client.disconnect(topic)
    provider.begin(networks.map(({ caipNetworkId }) => caipNetworkId))
    return toRelaySession(session)
  }

  /** Tells the developer of the site, too, that its origin is not listed. */
  function told(error: Error & { code?: unknown }): never {
    if (error.code === 'permission_denied') context.relayRefused('origin')
    throw error
  }

  return {
    providerOf: async (namespace) => (namespace === 'eip155' ? provider : loadSession(namespace)),
    async pair(options) {
      const { uri, expiresAt, accepted, approval, cancel } = client.pair(toRequest(options))
      options.signal?.addEventListener('abort', cancel)
      const session = connected(approval, options)
      session.catch(() => undefined)
      const deadline = setTimeout(cancel, ACCEPT_DEADLINE_MS)
      await Promise.race([accepted, approval]).finally(() => clearTimeout(deadline))
      return { uri, expiresAt, approval: session, cancel }
    },
    async handOff(options) {
      const { createSiteGateway } = await import('./siteGateway.ts')
      const [own] = relays
      const request = { ...toRequest(options), relayUrls: [own.url] }
      const pending = await client.handOff(request, createSiteGateway(context)).catch(told)
      const { id, expiresAt, digits, secondScan, confirm, cancel } = pending
      options.signal?.addEventListener('abort', cancel)
      const approval = connected(pending.approval, options)
      for (const promise of [digits, approval]) promise.catch(() => undefined)
      const uri = `${context.gatewayUrl}/open/${id}`
      return { uri, expiresAt, digits, secondScan, confirm, approval, cancel }
    },
    getSession() {
      const session = current()
      return session && toRelaySession(session)
    },
    async disconnect() {
      await Promise.all(client.sessions().map(({ topic }) => client.disconnect(topic)))
    },
    close: client.close,
  }
}

/** Everything is optional, so that a wallet that supports some of the networks can be connected. */
function toRequest({ networks, authentication }: PairOptions): PairRequest {
  const namespaces = new Set(networks.map(({ chainNamespace }) => chainNamespace))
  const proposed = [...namespaces].map((namespace) => {
    const listed = networks.filter(({ chainNamespace }) => chainNamespace === namespace)
    const chains = withOlderIds(listed.map(({ caipNetworkId }) => caipNetworkId))
    return [namespace, { chains, methods: methods[namespace], events: events[namespace] }] as const
  })
  return {
    optionalNamespaces: Object.fromEntries(proposed),
    ...(authentication && { authentication: toPayload(authentication) }),
  }
}

function toPayload(request: AuthenticationRequest): NonNullable<PairRequest['authentication']> {
  const { uri, issuedAt, expirationTime, notBefore, ...fields } = request
  return {
    ...fields,
    aud: uri,
    iat: issuedAt,
    ...(expirationTime && { exp: expirationTime }),
    ...(notBefore && { nbf: notBefore }),
  }
}

function toRelaySession({ topic, namespaces, expiresAt, peer, cacaos }: Session): RelaySession {
  const accounts = accountsOf(namespaces).map(withNetwork)
  const approved = [...new Set(Object.values(namespaces).flatMap((namespace) => namespace.methods))]
  const { name, url, icons, redirect } = peer.metadata
  return {
    topic,
    accounts: [...new Set(accounts)],
    approvedNetworkIds: [...new Set(accounts.map((account) => networkOf(chainOf(account))))],
    supportsAllNetworks: approved.includes('wallet_addEthereumChain'),
    methods: approved,
    expiresAt,
    peer: { name, url, icons, ...(redirect && { redirect }) },
    ...(cacaos && { cacaos }),
  }
}

/** Returns an account with the id that its network has today. */
function withNetwork(account: string): Account {
  const chain = chainOf(account)
  return `${networkOf(chain)}${account.slice(chain.length)}` as Account
}
