import { describe, expect, it } from 'vitest'
import { createRestClient } from '../rest/restClient.ts'
import { createNames } from './names.ts'

const projectId = '00000000000000000000000000000001'
const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** The calls for names over a gateway that gives one answer, and what it was asked. */
function namesOf(body: unknown, status = 200) {
  const asked: { url: URL; body: unknown; cache: RequestCache | undefined }[] = []
  const client = createRestClient({
    baseUrl: 'https://gateway.test',
    projectId,
    fetch: async (input, init) => {
      const posted = init?.body && JSON.parse(String(init.body))
      asked.push({ url: new URL(String(input)), body: posted, cache: init?.cache })
      return new Response(JSON.stringify(body), { status })
    },
  })
  return { names: createNames(client), asked }
}

describe('looking a name up', () => {
  it('answers where it leads', async () => {
    const record = { name: 'alice.hawser.id', attributes: {}, addresses: { '60': { address: ALICE } } }
    const { names, asked } = namesOf(record)
    expect(await names.lookup('alice.hawser.id')).toEqual(record)
    expect(asked[0]?.url.pathname).toBe('/v1/profile/account/alice.hawser.id')
    expect(asked[0]?.url.searchParams.get('apiVersion')).toBe('2')
  })

  it('tells the empty list, which stands for nobody, from a record', async () => {
    expect(await namesOf([]).names.lookup('nobody.hawser.id')).toBeUndefined()
  })

  it('lets no name leave its place in the path', async () => {
    const { names, asked } = namesOf([])
    await names.lookup('../reverse?x')
    expect(asked[0]?.url.pathname).toBe('/v1/profile/account/..%2Freverse%3Fx')
  })
})

describe('the names of an account', () => {
  it('may be none', async () => {
    const { names, asked } = namesOf([])
    expect(await names.reverse(ALICE)).toEqual([])
    expect(asked[0]?.url.pathname).toBe(`/v1/profile/reverse/${ALICE}`)
    expect(asked[0]?.url.searchParams.get('apiVersion')).toBe('2')
  })

  it('are one name and one picture where it is shown, or neither', async () => {
    const { names, asked } = namesOf({ name: null, avatar: null, resolvedAt: '2026-01-01T00:00:00Z' })
    expect(await names.identity(ALICE)).toMatchObject({ name: null, avatar: null })
    expect(asked[0]?.url.pathname).toBe(`/v1/identity/${ALICE}`)
    expect(asked[0]?.cache).toBeUndefined()
  })

  it('are asked for past what the browser keeps when they have changed', async () => {
    const { names, asked } = namesOf({ name: null, avatar: null })
    await names.identity(ALICE, { afresh: true })
    expect(asked[0]?.cache).toBe('reload')
  })

  it('are all that it owns where that is asked for', async () => {
    const { names, asked } = namesOf([])
    expect(await names.owned(ALICE)).toEqual([])
    expect(asked[0]?.url.pathname).toBe(`/v1/profile/reverse/${ALICE}`)
    expect(asked[0]?.url.searchParams.get('owned')).toBe('true')
  })
})

describe('resolving a name of anyone', () => {
  it('answers the address of one chain', async () => {
    const answer = { name: 'nick.eth', address: ALICE, coinType: 60, source: 'ens' }
    const { names, asked } = namesOf(answer)
    expect(await names.resolve('nick.eth', 60)).toEqual(answer)
    expect(asked[0]?.url.pathname).toBe('/v1/resolve/nick.eth')
    expect(asked[0]?.url.searchParams.get('coinType')).toBe('60')
  })

  it.each([
    [404, 'NAME_ABSENT'],
    [400, 'NAME_INVALID'],
    [400, 'COIN_TYPE_UNSUPPORTED'],
  ])('answers nothing when it leads nowhere (%i %s)', async (status, code) => {
    const { names } = namesOf({ status: 'FAILED', code, reasons: [] }, status)
    expect(await names.resolve('nobody.eth', 60)).toBeUndefined()
  })

  it.each([
    [503, 'CHAIN_UNAVAILABLE'],
    [404, undefined],
    [401, 'PROJECT_UNKNOWN'],
  ])('fails when nobody can say (%i %s)', async (status, code) => {
    const { names } = namesOf({ status: 'FAILED', code, reasons: [] }, status)
    await expect(names.resolve('nick.eth', 60)).rejects.toMatchObject({ status })
  })
})

describe('changing a name', () => {
  const signed = { message: '{}', signature: '0xab', address: ALICE }

  it.each([
    ['setAttributes', 'attributes'],
    ['setAddress', 'address'],
    ['release', 'release'],
    ['transfer', 'transfer'],
  ] as const)('by %s posts what was signed to the name', async (call, action) => {
    const { names, asked } = namesOf({})
    await names[call]('alice.hawser.id', { ...signed, coinType: 2147514985 })
    expect(asked[0]?.url.pathname).toBe(`/v1/profile/account/alice.hawser.id/${action}`)
    expect(asked[0]?.body).toEqual({ projectId, ...signed, coin_type: 2147514985 })
  })
})

describe('registering', () => {
  const registration = { message: '{"name":"alice.hawser.id"}', signature: '0xab', address: ALICE }

  it('posts what was signed as it was signed, with the coin type as a number', async () => {
    const { names, asked } = namesOf({ name: 'alice.hawser.id', success: true })
    await names.register({ ...registration, coinType: 2147514985 })
    expect(asked[0]?.url.pathname).toBe('/v1/profile/account')
    expect(asked[0]?.body).toEqual({ projectId, ...registration, coin_type: 2147514985 })
  })

  it('is refused with the gateway’s own reason', async () => {
    const reasons = [{ field: 'name', description: 'Name is already registered: alice.hawser.id' }]
    const { names } = namesOf({ status: 'FAILED', code: 'NAME_TAKEN', reasons }, 400)
    await expect(names.register({ ...registration, coinType: 60 })).rejects.toMatchObject({
      message: 'Name is already registered: alice.hawser.id',
      code: 'NAME_TAKEN',
    })
  })
})

it('suggestions come with the wanted name first', async () => {
  const suggestions = [{ name: 'alice.hawser.id', registered: true, available: false }]
  const { names, asked } = namesOf({ suggestions })
  expect(await names.suggestions('alice')).toEqual(suggestions)
  expect(asked[0]?.url.pathname).toBe('/v1/profile/suggestions/alice')
})
