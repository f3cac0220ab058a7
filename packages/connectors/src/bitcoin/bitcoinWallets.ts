import type { ConnectorFactory } from '@hawser/core'

/**
 * Lists the Bitcoin wallets of the page: those that register themselves (wallet-standard) and those of
 * `window.btc_providers` (sats-connect). The code that finds them is loaded when the page starts.
 */
export function bitcoinWallets(): ConnectorFactory {
  return (context) => {
    let isStopped = false
    let stop: () => void = () => undefined
    void import('./discovery.ts')
      .then(({ discover }) => {
        if (!isStopped) stop = discover(context)
      })
      .catch((error: unknown) =>
        context.log('warn', 'Bitcoin wallets are not looked for', { error: String(error) }),
      )
    return () => {
      isStopped = true
      stop()
    }
  }
}
