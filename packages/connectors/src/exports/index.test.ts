import { expect, it } from 'vitest'
import * as connectors from './index.ts'

it('is the public surface of the package', () => {
  expect(Object.keys(connectors).sort()).toMatchInlineSnapshot(`
    [
      "ProviderError",
      "bitcoinWallets",
      "devWallet",
      "embeddedWallet",
      "injected",
      "mock",
      "polkadotWallets",
      "providerErrorCode",
      "solanaWallets",
      "walletConnect",
    ]
  `)
})
