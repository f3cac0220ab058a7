import { expect, it } from 'vitest'
import * as site from './index.ts'
import * as wallet from './wallet.ts'

it('is the public surface of the package', () => {
  expect(Object.keys(site).sort()).toMatchInlineSnapshot(`
    [
      "RelayError",
      "SignError",
      "accountsOf",
      "chainOf",
      "createSignClient",
      "formatCacaoMessage",
      "formatPairingUri",
      "parsePairingUri",
      "signErrorCode",
    ]
  `)
  expect(Object.keys(wallet).sort()).toMatchInlineSnapshot(`
    [
      "createWalletClient",
    ]
  `)
})
