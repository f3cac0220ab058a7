import { afterEach, expect, it, vi } from 'vitest'
import { buying, QUAY } from '../testing/buying.ts'
import { settle } from '../testing/fakeClock.ts'
import { buy } from './buy.ts'
import { fetchOrders } from './orders.ts'
import { keepOrderToken, orderTokens } from './orderTokens.ts'

const token = 'token-01JD1___________'
const another = 'A'.repeat(22)

afterEach(() => vi.unstubAllGlobals())

it('is stored, and sent only in a header of the calls that list and watch purchases', async () => {
  const kit = await buying()
  buy(kit.hawser, QUAY)
  await settle()
  expect(orderTokens(kit.hawser)).toEqual([token])
  kit.gateway.headers.length = 0
  await fetchOrders(kit.hawser)
  expect(kit.gateway.headers.map((headers) => headers.get('hawser-order-tokens'))).toContain(token)
  expect(kit.gateway.requests.join()).not.toContain('token-')
  expect(JSON.stringify(kit.events)).not.toContain('token-')
  expect(JSON.stringify(kit.hawser.onramp.getState())).not.toContain('token-')
})

it('has the account watched with it', async () => {
  const kit = await buying()
  const watched = () => kit.gateway.requests.filter((request) => request.includes('WatchAccount')).length
  await settle()
  const before = watched()
  keepOrderToken(kit.hawser, token)
  await settle()
  expect(watched()).toBe(before + 1)
  expect(kit.gateway.headers.at(-1)?.get('hawser-order-tokens')).toBe(token)
})

it('is one of 64 at most, the newest, and nothing else that the storage holds', async () => {
  const { hawser, storage } = await buying()
  for (let n = 0; n < 70; n += 1) keepOrderToken(hawser, String(n).padStart(22, '0'))
  expect(orderTokens(hawser)).toHaveLength(64)
  expect(orderTokens(hawser)[0]).toBe('69'.padStart(22, '0'))
  keepOrderToken(hawser, 'no token\r\nX: y')
  storage.values.set('@hawser/v1/order_tokens', JSON.stringify(['x', 7, null, another]))
  expect(orderTokens(hawser)).toEqual([another])
  storage.values.set('@hawser/v1/order_tokens', '{"a":1}')
  expect(orderTokens(hawser)).toEqual([])
})
