import {
  type AccountState,
  closeModal,
  createHawser,
  disconnect,
  type Hawser,
  type HawserOptions,
  type Namespace,
  type Network,
  type OpenModalOptions,
  openModal,
  type Providers,
  selectAccount,
  selectNetwork,
  setThemeMode,
  switchNetwork,
  type ThemeMode,
} from '@hawser/core'
import styles from '@hawser/react/styles.css?inline'
import { createRoot } from 'react-dom/client'
import { Page } from './Page.tsx'

/** What a page shows of its visitor. */
export interface PageState {
  /** The account of the active namespace. */
  readonly account: AccountState
  readonly network: Network | undefined
}

/** The instance of a page without a bundler. */
export interface PageHawser extends PageState {
  /** The instance of `@hawser/core`. */
  readonly instance: Hawser
  /** Calls the listener now and after every change of the account or the network; returns a function that stops it. */
  subscribe(listener: (state: PageState) => void): () => void
  /** Opens the modal: on the account when connected, and on the wallets otherwise. */
  open(options?: OpenModalOptions): void
  close(): void
  /** Disconnects one namespace, or all. Failures are shown in a toast; the promise does not reject. */
  disconnect(namespace?: Namespace): Promise<void>
  /** Requests that the wallet switches its network. Rejects with a SwitchNetworkError when it does not. */
  switchNetwork(network: Network): Promise<void>
  /** Returns the provider of the connected wallet, of `eip155` by default; undefined while none is connected. */
  provider<N extends Namespace = 'eip155'>(namespace?: N): Providers[N] | undefined
  setThemeMode(mode: ThemeMode): void
}

/** Both kinds of buttons align in one line of text. */
const elementStyles = 'hawser-button, hawser-network-button { display: inline-block; vertical-align: middle }'

let started = false

/**
 * Starts the one instance of a page, and renders the modal and the elements of the page.
 *
 * @throws Error if it was started already: scripts share the instance that the first call returned.
 */
export function startHawser(options: HawserOptions): PageHawser {
  if (started) throw new Error('Hawser is started already on this page')
  const instance = createHawser(options)
  started = true
  adopt(styles + elementStyles)
  // React needs an element of its own: the modal is in the top layer, and the buttons are in theirs.
  const root = document.createElement('div')
  root.dataset.hawser = ''
  document.body.append(root)
  createRoot(root).render(<Page hawser={instance} />)
  return createPage(instance)
}

/** Adds styles to the page; a constructed style sheet is allowed by a strict Content-Security-Policy. */
function adopt(css: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets.push(sheet)
}

function createPage(instance: Hawser): PageHawser {
  const { chain, sessions } = instance
  return {
    instance,
    get account() {
      return selectAccount(chain.getState())
    },
    get network() {
      return selectNetwork(chain.getState())
    },
    subscribe(listener) {
      const read = (): PageState => ({
        account: selectAccount(chain.getState()),
        network: selectNetwork(chain.getState()),
      })
      let shown = read()
      listener(shown)
      return chain.subscribe(() => {
        const next = read()
        if (next.account === shown.account && next.network === shown.network) return
        shown = next
        listener(next)
      })
    },
    open: (view) => openModal(instance, view),
    close: () => closeModal(instance),
    disconnect: (namespace) => disconnect(instance, namespace ? { namespace } : undefined),
    switchNetwork: (network) => switchNetwork(instance, { network }),
    // A session is kept under the namespace of its provider.
    provider: <N extends Namespace = 'eip155'>(namespace?: N) =>
      sessions.get(namespace ?? 'eip155')?.provider as Providers[N] | undefined,
    setThemeMode: (mode) => setThemeMode(instance, mode),
  }
}
