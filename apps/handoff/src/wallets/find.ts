import { bitcoinWallets, injected, polkadotWallets, solanaWallets } from '@hawser/connectors'
import type { Connector, ConnectorContext } from '@hawser/core'
import { type PageWallet, walletsOf } from './pageWallet.ts'

/** When wallets are looked for again that are injected late, in milliseconds. */
const LATE_MS = [1_000, 2_000, 3_000]

/**
 * Finds the wallets of this browser: EIP-6963 and `window.ethereum`, wallet-standard, `btc_providers` and `injectedWeb3`.
 *
 * @param changed called with all that are there, whenever one comes or goes.
 */
export function watchWallets(changed: (wallets: readonly PageWallet[]) => void): void {
  const connectors = new Map<string, Connector>()
  const keyOf = (id: string, chain: string) => `${chain} ${id}`

  /** Returns the context of a factory whose wallets are of one namespace. */
  function contextOf(chain: string): ConnectorContext {
    const context: Pick<ConnectorContext, 'add' | 'remove' | 'log' | 'metadata'> = {
      add(connector) {
        connectors.set(keyOf(connector.id, connector.chain), connector)
        changed(walletsOf([...connectors.values()]))
      },
      remove(id) {
        if (connectors.delete(keyOf(id, chain))) changed(walletsOf([...connectors.values()]))
      },
      log: () => undefined,
      metadata: { name: document.title, description: '', url: location.origin, icons: [] },
    }
    // The factories of wallets in the page use no more of it.
    return context as ConnectorContext
  }

  solanaWallets()(contextOf('solana'))
  bitcoinWallets()(contextOf('bip122'))
  polkadotWallets()(contextOf('polkadot'))

  const evm = contextOf('eip155')
  let stop = injected()(evm)
  function lookAgain(): void {
    if ([...connectors.values()].some(({ chain }) => chain === 'eip155')) return
    stop?.()
    stop = injected()(evm)
  }
  addEventListener('ethereum#initialized', lookAgain)
  for (const ms of LATE_MS) setTimeout(lookAgain, ms)
}
