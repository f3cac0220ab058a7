import { describe, expect, it } from 'vitest'
import { HttpError } from '../rest/errors.ts'
import { createRestClient } from '../rest/restClient.ts'
import { createConversions } from './conversions.ts'

const projectId = '00000000000000000000000000000001'
const ETHER = 'eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
const DOLLAR = 'eip155:1:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const ALICE = 'eip155:1:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** The calls for swaps over a gateway that gives one answer, and what it was asked. */
function conversionsOf(body: unknown, status = 200) {
  const asked: { url: URL; body: unknown }[] = []
  const client = createRestClient({
    baseUrl: 'https://gateway.test',
    projectId,
    fetch: async (input, init) => {
      asked.push({ url: new URL(String(input)), body: init?.body && JSON.parse(String(init.body)) })
      return new Response(JSON.stringify(body), { status })
    },
  })
  return { conversions: createConversions(client), asked }
}

describe('a quote', () => {
  it('is asked for with tokens, account and slippage, whoever the spender', async () => {
    const { conversions, asked } = conversionsOf({ quotes: [] })
    await conversions.quotes({
      amount: '1000',
      from: ETHER,
      to: DOLLAR,
      userAddress: ALICE,
      slippageBps: 50,
      batch: false,
    })
    const url = asked[0]?.url
    expect(url?.pathname).toBe('/v1/convert/quotes')
    expect(Object.fromEntries(url?.searchParams ?? [])).toMatchObject({
      amount: '1000',
      from: ETHER,
      to: DOLLAR,
      userAddress: ALICE,
      slippageBps: '50',
      spender: 'any',
      projectId,
    })
    expect(url?.searchParams.has('batch')).toBe(false)
  })

  it('that does not exist is refused with the reason as a code', async () => {
    const refusal = {
      status: 'FAILED',
      code: 'ROUTE_ABSENT',
      reasons: [{ field: '', description: 'no route' }],
    }
    const { conversions } = conversionsOf(refusal, 400)
    const refused = conversions.quotes({ amount: '1', from: ETHER, to: DOLLAR })
    await expect(refused).rejects.toBeInstanceOf(HttpError)
    await expect(refused).rejects.toMatchObject({ status: 400, code: 'ROUTE_ABSENT' })
  })
})

describe('a transaction', () => {
  it('is built from the quote that was seen, with the terms of its chain and the project in the body', async () => {
    const { conversions, asked } = conversionsOf({ tx: {} })
    await conversions.buildTransaction({
      amount: '1000',
      from: DOLLAR,
      to: ETHER,
      userAddress: ALICE,
      quoteId: 'onchain.0',
      toAmountMin: '990',
      slippageBps: 100,
      permit: '0xabcd',
    })
    expect(asked[0]?.body).toEqual({
      projectId,
      amount: '1000',
      from: DOLLAR,
      to: ETHER,
      userAddress: ALICE,
      quoteId: 'onchain.0',
      toAmountMin: '990',
      eip155: { slippageBps: 100, permit: '0xabcd' },
    })
  })
})

describe('a permit', () => {
  it('is asked for without the bought token', async () => {
    const { conversions, asked } = conversionsOf({ typedData: '{}', deadline: '0' })
    await conversions.permit({ amount: '1', from: DOLLAR, to: ETHER, userAddress: ALICE, quoteId: 'q' })
    expect(asked[0]?.url.searchParams.has('to')).toBe(false)
  })
})
