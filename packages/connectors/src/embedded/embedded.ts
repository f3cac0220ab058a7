import type { Connector, ConnectorFactory, Eip1193Provider, EmbeddedWallet, Social } from '@hawser/core'

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

/** The wallet in its frame, and its provider. */
interface Loaded {
  readonly wallet: EmbeddedWallet
  readonly provider: Eip1193Provider
}

/**
 * Connects users by email or a social account to a wallet whose keys stay in a frame of another origin. The code is
 * loaded with the first login, or to restore one.
 */
export function embeddedWallet({
  frameOrigin = LOCAL_FRAME,
  email = true,
  socials = allSocials,
}: EmbeddedWalletOptions = {}): ConnectorFactory {
  return (context) => {
    let loading: Promise<Loaded> | undefined

    function load(): Promise<Loaded> {
      loading ??= import('./embeddedProvider.ts').then(({ loadEmbedded }) =>
        loadEmbedded({ frameOrigin, projectId: context.projectId, chainId: context.networkId() }),
      )
      loading.catch(() => {
        loading = undefined
      })
      return loading
    }

    const accountUrl = `${new URL('/account', frameOrigin)}?projectId=${encodeURIComponent(context.projectId)}`
    const connector: Connector = {
      id: ID,
      name: 'Email',
      type: 'AUTH',
      chain: 'eip155',
      logins: { email, socials, accountUrl },
      getEmbeddedWallet: async () => (await load()).wallet,
      getProvider: async () => (await load()).provider,
      disconnect: async () => (await load()).wallet.signOut(),
    }
    context.add(connector)
    return () => context.remove(ID)
  }
}
