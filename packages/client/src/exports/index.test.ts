import { expect, it } from 'vitest'
import * as convert from './convert.ts'
import * as client from './index.ts'
import * as names from './names.ts'
import * as onramp from './onramp.ts'
import * as watch from './watch.ts'

it('is the public surface of the package', () => {
  expect(Object.keys(client).sort()).toMatchInlineSnapshot(`
    [
      "HttpError",
      "InvalidResponseError",
      "NetworkError",
      "RpcError",
      "TimeoutError",
      "createRestClient",
      "plainText",
    ]
  `)
})

it('streams are an entry of their own', () => {
  expect(Object.keys(watch).sort()).toEqual(['WatchError', 'watchAccount', 'watchQuote'])
})

it('swaps are an entry of their own', () => {
  expect(Object.keys(convert)).toEqual(['createConversions'])
})

it('names are an entry of their own', () => {
  expect(Object.keys(names)).toEqual(['createNames'])
})

it('buying is an entry of its own', () => {
  expect(Object.keys(onramp)).toEqual(['createOnramp'])
})
