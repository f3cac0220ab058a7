import { expect, it } from 'vitest'
import * as client from './index.ts'

it('is the public surface of the package', () => {
  expect(Object.keys(client).sort()).toMatchInlineSnapshot(`
    [
      "HttpError",
      "InvalidResponseError",
      "NetworkError",
      "RpcError",
      "TimeoutError",
      "createRestClient",
    ]
  `)
})
