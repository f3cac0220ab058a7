import type { Connector, ConnectorContext, ConnectorFactory, PairOptions, Relay } from '@hawser/core'
import type { SessionWallet } from './sessionWallet.ts'

/** A relay that is not the operator's. */
export interface PublicRelay {
  /** `wss:` URL. */
  readonly url: string
  /** The operator's project id there, 32 hex digits. */
  readonly projectId: string
}

/** Options of `walletConnect`. */
export interface WalletConnectOptions {
  /** `ws:` or `wss:` URL of the relay; the gateway's own by default. */
  readonly relayUrl?: string
  /**
   * A second relay, for wallets that use only that one. Pairings are then offered on both, and the public relay sees
   * the size and time of messages to the wallets that use it.
   */
  readonly publicRelay?: PublicRelay
}

/** A code to scan, on a dark square. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="#123b52"/><g fill="none" stroke="#8ecfff" stroke-width="2.2" stroke-linejoin="round"><path d="M10.5 10.5h7v7h-7zM22.5 10.5h7v7h-7zM10.5 22.5h7v7h-7z"/></g><path fill="#8ecfff" d="M21.5 21.5h3v3h-3zM27.5 21.5h3v3h-3zM24.5 24.5h3v3h-3zM21.5 27.5h3v3h-3zM27.5 27.5h3v3h-3z"/></svg>',
)}`

const ID = 'walletConnect'
/** Prefix of the connector's storage keys. */
const PREFIX = 'walletconnect/'
/** The client stores its sessions under this key. */
const SESSIONS = 'sessions'

/**
 * Connects wallets that are paired by a QR code or a deep link, through a relay. The client is loaded when a pairing
 * is offered, or to restore a session.
 */
export function walletConnect(options: WalletConnectOptions = {}): ConnectorFactory {
  return (context) => {
    let loading: Promise<SessionWallet> | undefined

    function load(): Promise<SessionWallet> {
      loading ??= import('./sessionWallet.ts').then(({ createSessionWallet }) =>
        createSessionWallet(relaysOf(options, context), storageOf(context), context),
      )
      loading.catch(() => {
        loading = undefined
      })
      return loading
    }

    /** A page that is mounted again goes on with the wallet that is connected. */
    function closeUnused(wallet: SessionWallet): void {
      if (wallet.getSession()) return
      loading = undefined
      wallet.close()
    }

    const common = {
      id: ID,
      name: 'WalletConnect',
      imageUrl: ICON,
      type: 'WALLET_CONNECT',
      relays: (options.publicRelay ? ['own', 'public'] : ['own']) as readonly Relay[],
      pair: async (request: PairOptions) => (await load()).pair(request),
      // The page that a hand-off opens uses the gateway's own relay.
      ...(!options.relayUrl && {
        handOff: async (request: PairOptions) => (await load()).handOff(request),
      }),
      async getSession() {
        if (!loading && storageOf(context).getItem(SESSIONS) === null) return undefined
        return (await load()).getSession()
      },
      disconnect: async () => (await load()).disconnect(),
    } as const satisfies Partial<Connector>
    for (const chain of context.namespaces()) {
      const getProvider = async () => (await load()).providerOf(chain)
      context.add({ ...common, chain, getProvider } as Connector)
    }
    return () => {
      context.remove(ID)
      loading?.then(closeUnused).catch(() => undefined)
    }
  }
}

function relaysOf({ relayUrl, publicRelay }: WalletConnectOptions, context: ConnectorContext) {
  const { gatewayUrl, projectId } = context
  const own = { url: relayUrl ?? `${gatewayUrl.replace(/^http/, 'ws')}/v1/relay`, projectId }
  return publicRelay ? ([own, publicRelay] as const) : ([own] as const)
}

function storageOf({ storage }: ConnectorContext): ConnectorContext['storage'] {
  return {
    getItem: (key) => storage.getItem(PREFIX + key),
    setItem: (key, value) => storage.setItem(PREFIX + key, value),
    removeItem: (key) => storage.removeItem(PREFIX + key),
  }
}
