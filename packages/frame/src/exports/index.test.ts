import { expect, it } from 'vitest'
import * as page from './index.ts'
import * as protocol from './protocol.ts'

it('is the public surface of the package', () => {
  expect(Object.keys(page).sort()).toMatchInlineSnapshot(`
    [
      "createEmbeddedWallet",
    ]
  `)
  expect(Object.keys(protocol).sort()).toMatchInlineSnapshot(`
    [
      "APP_PREFIX",
      "FRAME_PREFIX",
      "HELLO",
      "PROTOCOL_VERSION",
      "approvalMethods",
      "calls",
      "object",
      "optional",
      "policyOf",
      "readAppMessage",
      "readChainId",
      "readFrameMessage",
      "safeMethods",
      "text",
    ]
  `)
})
