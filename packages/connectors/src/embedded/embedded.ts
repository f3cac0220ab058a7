import type { Connector, ConnectorFactory, Social } from '@hawser/core'
import type { Loaded } from './embeddedProvider.ts'

/** Options of `embeddedWallet`. */
export interface EmbeddedWalletOptions {
  /** Origin of the wallet's frame: another site than this page. `http://wallet.localhost:5174` by default. */
  readonly frameOrigin?: string
  /** Whether users can log in by email; `true` by default. */
  readonly email?: boolean
  /** The social logins that the gateway has credentials for; all by default, an empty list for none. */
  readonly socials?: readonly Social[]
}

const ID = 'AUTH'
const LOCAL_FRAME = 'http://wallet.localhost:5174'
const allSocials: readonly Social[] = ['google', 'x', 'discord', 'farcaster', 'github', 'apple', 'facebook']

/**
 * Connects users by email or a social account to a wallet whose keys stay in a frame of another origin, on the EVM and
 * Solana networks of the site. The code is loaded with the first login, or to restore one.
 */
export function embeddedWallet({
  frameOrigin = LOCAL_FRAME,
  email = true,
  socials = allSocials,
}: EmbeddedWalletOptions = {}): ConnectorFactory {
  // A modal that is mounted again goes on with the frame of the user who is logged in.
  let loading: Promise<Loaded> | undefined

  return (context) => {
    const namespaces = context
      .namespaces()
      .filter((each) => each === 'eip155' || each === 'solana')
      .sort()

    function load(): Promise<Loaded> {
      loading ??= import('./embeddedProvider.ts').then(({ loadEmbedded }) =>
        loadEmbedded({
          frameOrigin,
          projectId: context.projectId,
          chainId: context.networkId(namespaces[0]),
        }),
      )
      loading.catch(() => {
        loading = undefined
      })
      return loading
    }

    const accountUrl = `${new URL('/account', frameOrigin)}?projectId=${encodeURIComponent(context.projectId)}`
    const common = {
      id: ID,
      name: 'Email',
      type: 'AUTH',
      logins: { email, socials, accountUrl },
      getEmbeddedWallet: async () => (await load()).wallet,
      endsWithTab: async () => (await load()).wallet.endsWithTab(),
      disconnect: async () => (await load()).wallet.signOut(),
    } as const satisfies Partial<Connector>
    const connectors = {
      eip155: { ...common, chain: 'eip155', getProvider: async () => (await load()).evm } as const,
      solana: { ...common, chain: 'solana', getProvider: async () => (await load()).solana() } as const,
    } satisfies { [N in 'eip155' | 'solana']: Connector<N> }
    for (const namespace of namespaces) context.add(connectors[namespace])
    return () => context.remove(ID)
  }
}
