import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { loadAssets } from './assets.ts'

/** A server that does not answer: a request ends with its deadline, which is reached at once. */
function hang() {
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
  return vi.fn(async (_: unknown, init?: RequestInit) => {
    if (!init?.signal?.aborted)
      return Response.json({
        networks: [{ chainId: 'eip155:1', nativeCurrency: { symbol: 'ETH' } }],
        fungibles: [{ price: 1 }],
      })
    throw init.signal.reason
  })
}

// The networks are kept for the life of the page, and other tests may have loaded them.
beforeEach(() => {
  vi.resetModules()
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('shows no price when the server does not answer in time', async () => {
  const fetch = hang() as typeof globalThis.fetch
  expect(await loadAssets({ projectId: 'p1', fetch }, 'eip155:1', [])).toEqual(new Map())
})

it('knows tokens by their contracts, with icons of its own origin alone', async () => {
  const token = '0xAbCdef0000000000000000000000000000000001'
  const fungibles = [
    {
      address: 'eip155:1:0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
      price: 3_000,
      iconUrl: 'https://wallet.example/v1/assets/tokens/eip155:1/native.svg',
    },
    { address: `eip155:1:${token}`, price: 0, iconUrl: 'https://elsewhere.example/icon.png' },
  ]
  const fetch = (async () => Response.json({ fungibles })) as unknown as typeof globalThis.fetch
  expect(await loadAssets({ projectId: 'p1', fetch }, 'eip155:1', [token])).toEqual(
    new Map([
      ['', { price: 3_000, icon: '/v1/assets/tokens/eip155:1/native.svg' }],
      [token.toLowerCase(), { price: undefined, icon: undefined }],
    ]),
  )
})

it('shows the id of a network when the server does not answer in time', async () => {
  const { loadNetwork, unknownNetwork } = await import('./networks.ts')
  vi.stubGlobal('fetch', hang())
  expect(await loadNetwork('p1', 'eip155:1')).toEqual(unknownNetwork('eip155:1'))
})

it('knows whether a network is listed only from a list that was loaded', async () => {
  const { isListed } = await import('./networks.ts')
  vi.stubGlobal('fetch', hang())
  await expect(isListed('p1', 'eip155:1')).rejects.toThrow()
  vi.restoreAllMocks()
  vi.stubGlobal('fetch', async () => Response.json({}, { status: 429 }))
  await expect(isListed('p1', 'eip155:1')).rejects.toThrow('status 429')
  vi.stubGlobal('fetch', async () => Response.json({ networks: [{ chainId: 'eip155:1' }] }))
  expect(await isListed('p1', 'eip155:1')).toBe(true)
  expect(await isListed('p1', 'eip155:2')).toBe(false)
})
