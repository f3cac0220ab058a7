import { describe, expect, it } from 'vitest'
import { createRestClient } from '../rest/restClient.ts'
import { createOnramp } from './onramp.ts'

const projectId = '00000000000000000000000000000001'
const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** The calls for buying over a gateway that gives one answer, and what it was asked. */
function onrampOf(body: unknown, status = 200) {
  const asked: { url: URL; body: unknown }[] = []
  const client = createRestClient({
    baseUrl: 'https://gateway.test',
    projectId,
    fetch: async (input, init) => {
      asked.push({ url: new URL(String(input)), body: init?.body && JSON.parse(String(init.body)) })
      return new Response(JSON.stringify(body), { status })
    },
  })
  return { onramp: createOnramp(client), asked }
}

const purchase = { token: 'USDC', chainId: 'eip155:1', amount: '100.50', currency: 'EUR' }

describe('a quote', () => {
  it('is asked for with the amount as text, so that no cent is lost', async () => {
    const { onramp, asked } = onrampOf([])
    await onramp.quotes({ ...purchase, method: 'card', country: 'US', subdivision: 'NY', address: ALICE })
    expect(asked[0]?.url.pathname).toBe('/v1/onramp/multi/quotes')
    expect(asked[0]?.body).toEqual({
      projectId,
      destinationCurrencyCode: 'USDC',
      chainId: 'eip155:1',
      sourceAmount: '100.50',
      sourceCurrencyCode: 'EUR',
      paymentMethodType: 'card',
      countryCode: 'US',
      subdivision: 'NY',
      walletAddress: ALICE,
    })
  })

  it('leaves out what nobody said', async () => {
    const { onramp, asked } = onrampOf([])
    await onramp.quotes(purchase)
    expect(Object.keys(asked[0]?.body as object)).toEqual([
      'projectId',
      'destinationCurrencyCode',
      'chainId',
      'sourceAmount',
      'sourceCurrencyCode',
    ])
  })

  it('beyond the limit is refused with the reason as a code', async () => {
    const reasons = [{ field: 'sourceAmount', description: 'the amount must be at most 7500 USD' }]
    const { onramp } = onrampOf({ status: 'FAILED', code: 'ONRAMP_LIMIT', reasons }, 400)
    await expect(onramp.quotes(purchase)).rejects.toMatchObject({ status: 400, code: 'ONRAMP_LIMIT' })
  })
})

describe('an order', () => {
  it('is placed with one seller, for one wallet', async () => {
    const { onramp, asked } = onrampOf({ widgetUrl: 'https://seller.test/', order: { id: '01' } })
    const placed = await onramp.placeOrder({ ...purchase, seller: 'sandbox', address: ALICE })
    expect(placed).toEqual({ widgetUrl: 'https://seller.test/', order: { id: '01' } })
    expect(asked[0]?.url.pathname).toBe('/v1/onramp/widget')
    expect(asked[0]?.body).toMatchObject({
      projectId,
      sessionData: { serviceProvider: 'sandbox', walletAddress: ALICE, sourceAmount: '100.50' },
    })
  })

  it('is looked up by its id, which cannot leave its place in the path', async () => {
    const { onramp, asked } = onrampOf({})
    await onramp.order('../options')
    expect(asked[0]?.url.pathname).toBe('/v1/onramp/orders/..%2Foptions')
  })

  it('is listed with the others of its account, a page at a time', async () => {
    const { onramp, asked } = onrampOf({ orders: [], next: null })
    expect(await onramp.orders(ALICE, { tokens: [], cursor: 'c-2' })).toEqual({ orders: [], next: null })
    expect(Object.fromEntries(asked[0]?.url.searchParams ?? [])).toMatchObject({
      address: ALICE,
      cursor: 'c-2',
      projectId,
    })
  })
})

it('what can be bought depends on where one lives', async () => {
  const { onramp, asked } = onrampOf({ purchaseCurrencies: [], paymentCurrencies: [] })
  await onramp.options({ country: 'US', subdivision: 'NY' })
  await onramp.sellers({ country: 'US' })
  expect(asked[0]?.url.searchParams.get('subdivision')).toBe('NY')
  expect(asked[1]?.url.searchParams.get('countries')).toBe('US')
})
