import { beforeEach, describe, expect, it } from 'vitest'
import { AuthError, type Cacao } from './authClient.ts'
import { parseMessage } from './message.ts'
import type { KeyValueStorage } from './sessionStore.ts'
import { createSiwx, type SiwxMessage } from './siwx.ts'
import { createFakeAuthService } from './testing/fakeAuthService.ts'

const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const SOLANA_ADDRESS = '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv'

let service: ReturnType<typeof createFakeAuthService>
let values: Map<string, string>
let storage: KeyValueStorage

beforeEach(() => {
  service = createFakeAuthService()
  values = new Map()
  storage = {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => values.set(key, value),
    removeItem: (key) => values.delete(key),
  }
})

const open = (options = {}) =>
  createSiwx({
    url: 'https://gateway.test/auth/v1/',
    projectId: 'p1',
    origin: 'https://shop.example:8443',
    statement: 'Welcome.',
    storage,
    fetch: service.fetch,
    now: () => new Date('2026-01-01T00:00:00Z'),
    ...options,
  })

const sign = (data: SiwxMessage, signature = '0x01') => ({ data, message: String(data), signature })

async function signIn(siwx = open(), chainId = 'eip155:1', accountAddress = ADDRESS, signature = '0x01') {
  const message = await siwx.createMessage({ chainId, accountAddress })
  await siwx.addSession(sign(message, signature))
  return siwx
}

describe('a message', () => {
  it('is for this page and this account, with a nonce of the service', async () => {
    const message = await open().createMessage({ chainId: 'eip155:137', accountAddress: ADDRESS })
    expect(parseMessage(String(message))).toEqual({
      domain: 'shop.example:8443',
      namespace: 'eip155',
      address: ADDRESS,
      statement: 'Welcome.',
      uri: 'https://shop.example:8443',
      version: '1',
      chainId: '137',
      nonce: 'nonce00001',
      issuedAt: '2026-01-01T00:00:00.000Z',
    })
    expect(service.requests[0]).toMatchObject({ method: 'POST', path: 'nonce', query: '?projectId=p1' })
  })

  it('names the cluster of Solana', async () => {
    const message = await open().createMessage({ chainId: SOLANA, accountAddress: SOLANA_ADDRESS })
    expect(parseMessage(String(message))).toMatchObject({ namespace: 'solana', chainId: SOLANA })
  })

  it('is not available in other namespaces', async () => {
    const input = { chainId: 'cosmos:cosmoshub-4', accountAddress: 'bc1q' }
    await expect(open().createMessage(input)).rejects.toThrow('not available')
  })
})

describe('a session', () => {
  it('of a key is valid on every chain of the namespace, and survives a reload', async () => {
    await signIn()
    const sessions = await open().getSessions('eip155:10', ADDRESS.toLowerCase())
    expect(sessions).toHaveLength(1)
    expect(await open().getSessions('eip155:10', OTHER)).toEqual([])
    expect(await open().getSessions(SOLANA, ADDRESS)).toEqual([])
  })

  it('of a contract is valid on its chain only', async () => {
    const siwx = await signIn(open(), 'eip155:1', ADDRESS, '0xcontract')
    expect(await siwx.getSessions('eip155:1', ADDRESS)).toHaveLength(1)
    expect(await siwx.getSessions('eip155:10', ADDRESS)).toEqual([])
    await signIn(siwx, 'eip155:10', ADDRESS, '0xcontract')
    expect(await siwx.getSessions('eip155:1', ADDRESS)).toHaveLength(1)
    expect(await siwx.getSessions('eip155:10', ADDRESS)).toHaveLength(1)
  })

  it('is refused with the reason of the service, and its nonce is used up', async () => {
    const siwx = open()
    const message = await siwx.createMessage({ chainId: 'eip155:1', accountAddress: ADDRESS })
    const refused = await siwx.addSession(sign(message, '0xbad')).catch((error) => error)
    expect(refused).toBeInstanceOf(AuthError)
    expect(refused).toMatchObject({ status: 401, reason: 'SIGNATURE_INVALID' })
    await expect(siwx.addSession(sign(message))).rejects.toMatchObject({ reason: 'NONCE_INVALID' })
    expect(await siwx.getSessions('eip155:1', ADDRESS)).toEqual([])
  })

  it('can begin with the newest messages only', async () => {
    const siwx = open()
    const messages: SiwxMessage[] = []
    for (let i = 0; i < 40; i++) {
      messages.push(await siwx.createMessage({ chainId: 'eip155:1', accountAddress: ADDRESS }))
    }
    const [oldest, newest] = [messages[0], messages.at(-1)] as [SiwxMessage, SiwxMessage]
    await expect(siwx.addSession(sign(oldest))).rejects.toMatchObject({ reason: 'NONCE_INVALID' })
    await siwx.addSession(sign(newest))
    expect(await siwx.getSessions('eip155:1', ADDRESS)).toHaveLength(1)
  })

  it('that the service has ended is forgotten', async () => {
    const siwx = await signIn()
    service.sessions.clear()
    expect(await siwx.getSessions('eip155:1', ADDRESS)).toEqual([])
    expect(values.size).toBe(0)
  })

  it('is not forgotten when the service cannot be reached', async () => {
    const siwx = await signIn()
    service.setReachable(false)
    await expect(siwx.getSessions('eip155:1', ADDRESS)).rejects.toThrow('Failed to fetch')
    service.setReachable(true)
    expect(await siwx.getSessions('eip155:1', ADDRESS)).toHaveLength(1)
  })

  it('of one account ends without ending those of other accounts on the same chain', async () => {
    const siwx = await signIn(await signIn(), 'eip155:1', OTHER)
    await siwx.revokeSession('eip155:1', ADDRESS)
    expect(await siwx.getSessions('eip155:1', ADDRESS)).toEqual([])
    expect(await siwx.getSessions('eip155:1', OTHER)).toHaveLength(1)
    expect(service.sessions.size).toBe(1)
  })

  it('ends with all other sessions', async () => {
    const siwx = await signIn(await signIn(), SOLANA, SOLANA_ADDRESS)
    await siwx.setSessions([])
    expect(service.sessions.size).toBe(0)
    expect(values.size).toBe(0)
  })

  it('of several chains is opened with their CACAOs in one call', async () => {
    const siwx = open()
    const data = await siwx.createMessage({ chainId: 'eip155:1', accountAddress: ADDRESS })
    const cacao = (chain: number): Cacao => ({
      h: { t: 'caip122' },
      p: { iss: `did:pkh:eip155:${chain}:${ADDRESS}`, nonce: data.nonce },
      s: { t: 'eip191', s: '0x01' },
    })
    await siwx.setSessions([1, 10].map((chain) => ({ ...sign(data), cacao: cacao(chain) })))
    expect(service.requests.filter(({ path }) => path === 'authenticate')).toHaveLength(1)
    expect([...service.sessions.values()][0]?.chainIds).toEqual(['eip155:1', 'eip155:10'])
    expect(await siwx.getSessions('eip155:10', ADDRESS)).toHaveLength(1)
  })

  it('that ended in another tab is not stored again with a new one', async () => {
    const other = await signIn()
    const siwx = open()
    await siwx.getSessions('eip155:1', ADDRESS)
    await other.setSessions([])
    await signIn(siwx, 'eip155:1', OTHER)
    expect([...values.values()].join()).not.toContain(ADDRESS)
    expect(await siwx.getSessions('eip155:1', OTHER)).toHaveLength(1)
  })

  it('is in memory where the storage is full', async () => {
    const setItem = () => {
      throw new Error('QuotaExceededError')
    }
    const siwx = await signIn(open({ storage: { ...storage, setItem } }))
    expect(await siwx.getSessions('eip155:1', ADDRESS)).toHaveLength(1)
  })

  it('is in memory where the storage is blocked', async () => {
    const fail = () => {
      throw new Error('SecurityError')
    }
    const siwx = await signIn(open({ storage: { getItem: fail, setItem: fail, removeItem: fail } }))
    expect(await siwx.getSessions('eip155:1', ADDRESS)).toHaveLength(1)
  })
})

it('says whether it is required', () => {
  expect(open().getRequired?.()).toBe(true)
  expect(open({ required: false, signOutOnDisconnect: false })).toMatchObject({ signOutOnDisconnect: false })
  expect(open({ required: false }).getRequired?.()).toBe(false)
})
