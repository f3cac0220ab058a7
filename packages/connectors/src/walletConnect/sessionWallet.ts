import type {
  AuthenticationRequest,
  ConnectorContext,
  Eip1193Provider,
  Pairing,
  PairOptions,
  RelaySession,
  SolanaProvider,
} from '@hawser/core'
import {
  accountsOf,
  type CoreOptions,
  chainOf,
  createSignClient,
  type PairRequest,
  type Session,
} from '@hawser/walletconnect'
import { events, methods, pairedNamespaces } from './methods.ts'
import { createSessionProvider } from './sessionProvider.ts'
import type { SolanaSession } from './solanaSession.ts'

/** The wallet at the other end of a session, and the pairings that lead to one. */
export interface SessionWallet {
  readonly provider: Eip1193Provider
  /** Loads the provider of the session's Solana accounts. */
  solanaProvider(): Promise<SolanaProvider>
  /** @throws Error when no relay accepts the pairing within 15 seconds. */
  pair(options: PairOptions): Promise<Pairing>
  /** Returns the newest session; undefined without one. */
  getSession(): RelaySession | undefined
  disconnect(): Promise<void>
  close(): void
}

/** How long a relay may take to accept a pairing, in milliseconds: a code that is shown can be scanned. */
const ACCEPT_DEADLINE_MS = 15_000

type Account = RelaySession['accounts'][number]
type NetworkId = RelaySession['approvedNetworkIds'][number]

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
        solana?.changed()
      },
      deleted({ topic }) {
        provider.deleted(topic)
        solana?.changed()
      },
      event: ({ topic }, event, chainId) => provider.receive(topic, event, chainId),
      refused: ({ refusal }) => context.relayRefused(refusal ?? 'token'),
    },
  )
  const current = () => client.sessions().at(-1)
  let solana: SolanaSession | undefined
  const provider = createSessionProvider({ client, storage, context, current })

  async function connected(approval: Promise<Session>, { networks }: PairOptions): Promise<RelaySession> {
    const session = await approval
    for (const { topic } of client.sessions()) if (topic !== session.topic) void client.disconnect(topic)
    provider.begin(networks.map(({ caipNetworkId }) => caipNetworkId))
    return toRelaySession(session)
  }

  return {
    provider,
    async solanaProvider() {
      const { createSolanaSession } = await import('./solanaSession.ts')
      solana ??= createSolanaSession({ client, context, current })
      return solana
    },
    async pair(options) {
      const { uri, expiresAt, accepted, approval, cancel } = client.pair(toRequest(options))
      options.signal?.addEventListener('abort', cancel)
      const session = connected(approval, options)
      session.catch(() => undefined)
      const deadline = setTimeout(cancel, ACCEPT_DEADLINE_MS)
      await Promise.race([accepted, approval]).finally(() => clearTimeout(deadline))
      return { uri, expiresAt, approval: session, cancel }
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
  const proposed = pairedNamespaces.flatMap((namespace) => {
    const ids = networks.map(({ caipNetworkId }) => caipNetworkId)
    const chains = ids.filter((id) => id.startsWith(`${namespace}:`))
    return chains.length > 0 ? [[namespace, { chains, methods: methods[namespace], events }] as const] : []
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
  const accounts = accountsOf(namespaces)
  const approved = [...new Set(Object.values(namespaces).flatMap((namespace) => namespace.methods))]
  const { name, url, icons, redirect } = peer.metadata
  return {
    topic,
    accounts: accounts as readonly Account[],
    approvedNetworkIds: [...new Set(accounts.map(chainOf))] as NetworkId[],
    supportsAllNetworks: approved.includes('wallet_addEthereumChain'),
    methods: approved,
    expiresAt,
    peer: { name, url, icons, ...(redirect && { redirect }) },
    ...(cacaos && { cacaos }),
  }
}
