import { expect, it } from 'vitest'
import * as connectors from './index.ts'

it('is the public surface of the package', () => {
  expect(Object.keys(connectors).sort()).toMatchInlineSnapshot(`
    [
      "ProviderError",
      "devWallet",
      "embeddedWallet",
      "injected",
      "mock",
      "providerErrorCode",
      "walletConnect",
    ]
  `)
})
