import type { WalletFeatures } from '@hawser/connectors'
import type { DevnetPolkadot } from '../config.ts'

export interface PolkadotWalletOptions {
  readonly accounts: DevnetPolkadot['accounts']
  /** Read at every request. */
  readonly features: WalletFeatures
}

/**
 * Offers a wallet for the local Polkadot chain in `window.injectedWeb3`, like an extension. Its code is
 * loaded at first use.
 */
export function offerPolkadotWallet(options: PolkadotWalletOptions): void {
  const extension = {
    version: '1.0.0',
    async enable() {
      const { openPolkadotWallet } = await import('./polkadotWallet.ts')
      return openPolkadotWallet(options)
    },
  }
  const page = globalThis as { injectedWeb3?: Record<string, unknown> }
  page.injectedWeb3 = { ...page.injectedWeb3, 'Dev wallet': extension }
}
