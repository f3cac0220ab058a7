import { reportWallet } from '../modal/walletFlows.ts'
import type { Connector } from '../types/connector.ts'
import type { Hawser } from '../types/hawser.ts'
import { withoutArrival } from '../walletLinks/walletLinks.ts'
import { selectConnector } from './connect.ts'

/** How long a wallet may take to announce itself, in milliseconds: those of phones do so after the page is loaded. */
const ANNOUNCEMENT_MS = 3_000
/** After the first wallet others are waited for, in milliseconds. */
const OTHERS_MS = 300

/**
 * Connects the wallet whose browser this page was opened in, by a link of the modal. Opens the list of wallets if there are
 * several or none. Does nothing in a page that is connected, and stops when `unmounted` is aborted.
 */
export function arriveInWallet(hawser: Hawser, unmounted: AbortSignal): void {
  if (unmounted.aborted) return
  history.replaceState(history.state, '', withoutArrival(location.href))
  if (hawser.connection.getState().status !== 'disconnected') return

  const wait = (ms: number) => hawser.timers.set('arrival', ms, finish)
  const unsubscribe = hawser.connectors.subscribe(() => {
    if (walletsHere(hawser).length > 0) wait(OTHERS_MS)
  })
  wait(walletsHere(hawser).length > 0 ? OTHERS_MS : ANNOUNCEMENT_MS)
  unmounted.addEventListener('abort', stop)

  function stop(): void {
    unsubscribe()
    hawser.timers.cancel('arrival')
    unmounted.removeEventListener('abort', stop)
  }

  function finish(): void {
    stop()
    if (hawser.connection.getState().status !== 'disconnected' || hawser.modal.getState().open) return
    const [wallet, ...others] = walletsHere(hawser)
    reportWallet(hawser, { kind: 'arrived' })
    if (wallet && others.length === 0) selectConnector(hawser, wallet)
  }
}

/** Returns the wallets that are in the page, each once. */
function walletsHere({ connectors }: Hawser): readonly Connector[] {
  return connectors
    .getState()
    .connectors.filter(({ type }) => type === 'ANNOUNCED' || type === 'INJECTED' || type === 'MULTI_CHAIN')
}
