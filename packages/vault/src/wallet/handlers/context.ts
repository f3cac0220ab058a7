import { type CallName, type CallPayload, type CallResult, readChainId } from '@hawser/frame/protocol'
import type { BundlerClient } from '../../smartAccount/bundlerClient.ts'
import type { SmartAccounts } from '../../smartAccount/smartAccount.ts'
import type { Vault } from '../../vault/vault.ts'
import type { Approvals } from '../approvals.ts'
import type { Node } from '../node.ts'
import type { Site } from '../site.ts'

/** Appearance of the embedding page, and its name. */
export interface Appearance {
  readonly themeMode: 'light' | 'dark' | undefined
  readonly themeVariables: Readonly<Record<string, unknown>>
  /**
   * Languages of the site's modal, which uses the first one that it has: BCP 47 tags with a comma between
   * them, `auto`, or any other text.
   */
  readonly locale: string
  /** The site's own name for itself; its origin is what is verified. */
  readonly siteName: string
}

export interface FrameOptions {
  readonly site: Site
  readonly vault: Vault
  readonly node: Node
  readonly bundler: BundlerClient
  readonly approvals: Approvals
  /** The network to start with, as the site names it; Ethereum for one that is malformed. */
  readonly chainId: string
  /** Reports whether the gateway serves a network. @throws Error when its list cannot be loaded */
  readonly isListed: (chainId: string) => Promise<boolean>
  /** Returns the address of the page that sends a popup to the provider of a login. */
  readonly socialStart: (state: string) => string
  /** Address of the wallet's own page of the account. */
  readonly accountPage: string
  readonly changeAppearance: (change: Partial<Appearance>) => void
  readonly reload: () => void
}

/** What the calls of a site have changed. */
interface SiteState {
  /** CAIP-2 id of the network in use. */
  network: string
  /** The name that the last login told. */
  userName: string
  preferred: 'eoa' | 'smartAccount'
}

/** What the handlers of a site's calls share. */
export interface SiteContext extends FrameOptions {
  readonly state: SiteState
  /** Returns the client of smart accounts. Its code is loaded once an account is read. */
  smartAccounts(): Promise<SmartAccounts>
}

/** Handlers of calls, by the call's name. */
export type Handlers<Names extends CallName = CallName> = {
  readonly [N in Names]: (payload: CallPayload<N>) => Promise<CallResult<N>>
}

/** Returns the handlers of some calls. Their code is loaded with the first of them. */
export function loadedHandlers<N extends CallName>(
  names: readonly N[],
  load: () => Promise<Handlers<N>>,
): Handlers<N> {
  let loading: Promise<Handlers<N>> | undefined
  const handler = (name: N) => async (payload: CallPayload<N>) => {
    loading ??= load().catch((error: unknown) => {
      // The next call tries again.
      loading = undefined
      throw error
    })
    return (await loading)[name](payload)
  }
  return Object.fromEntries(names.map((name) => [name, handler(name)])) as Handlers<N>
}

/** Creates the context of a site. */
export function createSiteContext(options: FrameOptions): SiteContext {
  const { bundler, node, chainId } = options
  let loadedAccounts: Promise<SmartAccounts> | undefined
  return {
    ...options,
    state: { network: readChainId(chainId) ?? 'eip155:1', userName: '', preferred: 'smartAccount' },
    smartAccounts() {
      loadedAccounts ??= import('../../smartAccount/smartAccount.ts').then(({ createSmartAccounts }) =>
        createSmartAccounts({ bundler, node }),
      )
      return loadedAccounts
    },
  }
}

/** Shows the frame while a sheet waits that the embedding page does not know of. */
export async function shown<T>({ site }: SiteContext, action: () => Promise<T>): Promise<T> {
  site.emit('SHOW')
  try {
    return await action()
  } finally {
    site.emit('HIDE')
  }
}
