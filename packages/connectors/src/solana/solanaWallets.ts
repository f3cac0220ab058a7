import type { ConnectorFactory } from '@hawser/core'

/**
 * Lists the Solana wallets that register themselves in the page (wallet-standard). The code that finds them is loaded
 * when the page starts.
 */
export function solanaWallets(): ConnectorFactory {
  return (context) => {
    let isStopped = false
    let stop: () => void = () => undefined
    void import('./discovery.ts')
      .then(({ discover }) => {
        if (!isStopped) stop = discover(context)
      })
      .catch((error: unknown) =>
        context.log('warn', 'Solana wallets are not looked for', { error: String(error) }),
      )
    return () => {
      isStopped = true
      stop()
    }
  }
}
