import { afterEach, expect, it, vi } from 'vitest'
import { gateway } from './gateway.ts'

afterEach(() => void vi.unstubAllGlobals())

function answer(status: number, body: unknown) {
  const fetch = vi.fn(
    async (_url: string, _init: RequestInit) => new Response(JSON.stringify(body), { status }),
  )
  vi.stubGlobal('fetch', fetch)
  return fetch
}

it('claims a hand-off for a key', async () => {
  const fetch = answer(200, {
    projectId: '01',
    origin: 'https://shop.example',
    commitment: btoa(String.fromCharCode(...new Uint8Array(32).fill(0xab))),
    expiresAt: '2026-01-01T00:00:00Z',
  })
  expect(await gateway.claim('id', 'ff00')).toEqual({
    projectId: '01',
    projectName: '',
    origin: 'https://shop.example',
    commitment: 'ab'.repeat(32),
    expiresAt: Date.UTC(2026, 0, 1),
  })
  const [url, init] = fetch.mock.calls[0] ?? []
  expect(url).toBe('/hawser.handoff.v1.HandoffService/ClaimHandoff')
  expect(JSON.parse(String(init?.body))).toEqual({ id: 'id', publicKey: '/wA=' })
})

it.each([
  [409, { code: 'already_exists' }, 'taken'],
  [404, { code: 'not_found' }, 'expired'],
  [400, { code: 'invalid_argument' }, 'expired'],
  [503, { code: 'unavailable' }, 'unreached'],
  [502, 'no JSON of the gateway', 'unreached'],
  [200, {}, 'unreached'],
])('a refusal of status %s with %j is "%s"', async (status, body, refusal) => {
  answer(status, body)
  await expect(gateway.claim('id', 'ff')).rejects.toMatchObject({ refusal })
})

it('a gateway that is not reached is no refusal', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('offline')
  })
  await expect(gateway.claim('id', 'ff')).rejects.toMatchObject({ refusal: 'unreached' })
})
