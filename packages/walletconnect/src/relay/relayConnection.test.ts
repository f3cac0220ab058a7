import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { completeEnvironment, type Environment } from '../environment.ts'
import { clientOptions, connectPeers, createSite, proposed } from '../testing/peers.ts'
import { createTestRelay, type TestRelay } from '../testing/testRelay.ts'
import type { RelayError } from './errors.ts'
import { createRelayConnection } from './relayConnection.ts'

const topic = 'ab'.repeat(32)
const publication = { topic, message: 'text', ttl: 300, tag: 1108, prompt: true }

beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }))
afterEach(() => void vi.useRealTimers())

function connectTo(relay: TestRelay, given: Partial<Environment> = {}) {
  const refused = vi.fn<(error: RelayError) => void>()
  const deliver = vi.fn(async () => undefined)
  const { relays, environment } = clientOptions('site', [relay], given)
  const connection = createRelayConnection(relays[0], '44'.repeat(32), completeEnvironment(environment), {
    refused,
    deliver,
  })
  return { connection, refused, deliver }
}

const sent = ({ requests }: TestRelay, method: string) =>
  requests.filter((request) => request.method === method).length

/** Counts and settles a promise without failing the test. */
function outcome(promise: Promise<unknown>) {
  return promise.then(
    () => 'accepted',
    (error: RelayError) => error.refusal ?? error.message,
  )
}

describe('a socket', () => {
  it('is opened once for several requests, with a token and the project', async () => {
    const relay = createTestRelay()
    const { connection } = connectTo(relay)
    await Promise.all([
      connection.request('irn_publish', publication),
      connection.request('irn_publish', publication),
    ])
    expect(relay.opened).toHaveLength(1)
    const { searchParams } = new URL(relay.opened[0] ?? '')
    expect(searchParams.get('projectId')).toBe('ab'.repeat(16))
    expect(searchParams.get('useOnCloseEvent')).toBe('true')
    const claims = JSON.parse(atob(searchParams.get('auth')?.split('.')[1] ?? ''))
    expect(claims).toMatchObject({ aud: relay.url, iat: 1_700_000_000, exp: 1_700_086_400 })
  })

  it('is closed when there is nothing to wait for', async () => {
    const relay = createTestRelay()
    const { connection } = connectTo(relay)
    await connection.request('irn_publish', publication)
    await vi.advanceTimersByTimeAsync(10_000)
    await connection.request('irn_publish', { ...publication, message: 'next' })
    expect(relay.opened).toHaveLength(2)
  })

  it('stays open for a topic, and is probed after a silence', async () => {
    const relay = createTestRelay()
    connectTo(relay).connection.subscribe(topic)
    await vi.advanceTimersByTimeAsync(65_000)
    expect(relay.opened).toHaveLength(1)
    expect(sent(relay, 'irn_batchSubscribe')).toBe(3)
  })

  it('is probed every 5 s of silence while an answer of the peer is awaited, and not after it', async () => {
    const relay = createTestRelay()
    const { connection } = connectTo(relay)
    connection.subscribe(topic)
    await vi.advanceTimersByTimeAsync(12_000)
    const release = connection.expectAnswer()
    const before = sent(relay, 'irn_batchSubscribe')
    await vi.advanceTimersByTimeAsync(21_000)
    expect(sent(relay, 'irn_batchSubscribe')).toBe(before + 4)
    release()
    release()
    await vi.advanceTimersByTimeAsync(5_000)
    const after = sent(relay, 'irn_batchSubscribe')
    await vi.advanceTimersByTimeAsync(28_000)
    expect(sent(relay, 'irn_batchSubscribe')).toBe(after)
  })

  it('is given up within 15 s when the relay no longer answers while an answer is awaited', async () => {
    const relay = createTestRelay()
    const { connection } = connectTo(relay)
    connection.subscribe(topic)
    connection.expectAnswer()
    await vi.advanceTimersByTimeAsync(100)
    relay.freeze(true)
    await vi.advanceTimersByTimeAsync(15_500)
    expect(relay.opened.length).toBeGreaterThan(1)
  })

  it('is given up when the relay no longer answers', async () => {
    const relay = createTestRelay()
    connectTo(relay).connection.subscribe(topic)
    await vi.advanceTimersByTimeAsync(100)
    relay.freeze(true)
    await vi.advanceTimersByTimeAsync(40_000)
    relay.freeze(false)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(relay.opened.length).toBeGreaterThan(1)
    expect(relay.requests.at(-1)).toEqual({ method: 'irn_batchSubscribe', params: { topics: [topic] } })
  })

  it('is replaced soon after the page wakes up, if it is dead', async () => {
    const relay = createTestRelay()
    const { connection } = connectTo(relay)
    connection.subscribe(topic)
    await vi.advanceTimersByTimeAsync(100)
    relay.freeze(true)
    connection.wake()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(relay.opened).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(relay.opened).toHaveLength(2)
  })

  it('survives frames that are no JSON-RPC', async () => {
    const relay = createTestRelay()
    const { connection } = connectTo(relay)
    connection.subscribe(topic)
    await vi.advanceTimersByTimeAsync(100)
    for (const text of ['', 'null', '[]', '{"id":null}', '{"id":1.5}', '{"id":1}']) relay.sendRaw(text)
    await connection.request('irn_publish', publication)
    expect(relay.opened).toHaveLength(1)
  })

  it('repeats an id of 19 digits exactly', async () => {
    const relay = createTestRelay()
    const { connection } = connectTo(relay)
    const openSocket = vi.fn(relay.openSocket)
    connection.close()
    const other = connectTo(relay, { openSocket })
    other.connection.subscribe(topic)
    await vi.advanceTimersByTimeAsync(100)
    const socket = openSocket.mock.results[0]?.value
    const send = vi.spyOn(socket, 'send')
    relay.sendRaw(
      `{"params":{"id":"5","data":{"topic":"${topic}","message":"a"}},"id":1700000000000000001,"jsonrpc":"2.0","method":"irn_subscription"}`,
    )
    await vi.advanceTimersByTimeAsync(10)
    expect(send).toHaveBeenCalledExactlyOnceWith('{"id":1700000000000000001,"jsonrpc":"2.0","result":true}')
  })
})

describe('a relay that is down', () => {
  it('receives what was requested once it is back', async () => {
    const relay = createTestRelay()
    relay.stop()
    const { connection } = connectTo(relay)
    const result = outcome(connection.request('irn_publish', publication))
    await vi.advanceTimersByTimeAsync(20_000)
    relay.start()
    await vi.advanceTimersByTimeAsync(10_000)
    await expect(result).resolves.toBe('accepted')
  })

  it('is not called again by a request that has failed after a minute', async () => {
    const relay = createTestRelay()
    relay.stop()
    const { connection } = connectTo(relay)
    const result = outcome(connection.request('irn_publish', publication))
    await vi.advanceTimersByTimeAsync(60_000)
    await expect(result).resolves.toBe('the relay did not answer irn_publish')
    const { length } = relay.opened
    await vi.advanceTimersByTimeAsync(600_000)
    expect(relay.opened.length).toBeLessThanOrEqual(length + 1)
    relay.start()
    await expect(connection.request('irn_publish', publication)).resolves.toBe(true)
  })

  it('is called with exponential back-off, by one socket at a time', async () => {
    const relay = createTestRelay()
    const { connection } = connectTo(relay)
    connection.subscribe(topic)
    await vi.advanceTimersByTimeAsync(100)
    relay.stop()
    const results = Array.from({ length: 20 }, () => outcome(connection.request('irn_publish', publication)))
    await vi.advanceTimersByTimeAsync(60_000)
    // After 0.5, 1, 2, 4 and 8 seconds, then every 10.
    expect(relay.opened).toHaveLength(1 + 9)
    await Promise.all(results)
  })

  it('is called at once when the page wakes up', async () => {
    const relay = createTestRelay()
    const { connection } = connectTo(relay)
    connection.subscribe(topic)
    await vi.advanceTimersByTimeAsync(100)
    relay.stop()
    await vi.advanceTimersByTimeAsync(30_000)
    relay.start()
    const { length } = relay.opened
    connection.wake()
    expect(relay.opened).toHaveLength(length + 1)
  })
})

describe('a relay that refuses', () => {
  for (const [reason, refusal] of [
    ['Unauthorized: origin not allowed', 'origin'],
    ['Unauthorized: invalid key', 'project'],
    ['JWT validation error: signature', 'token'],
  ] as const) {
    it(`is not called again until the next request: ${reason}`, async () => {
      const relay = createTestRelay()
      relay.refuse(reason)
      const { connection, refused } = connectTo(relay)
      connection.subscribe(topic)
      await vi.advanceTimersByTimeAsync(60_000)
      expect(refused).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ refusal }))
      expect(relay.opened).toHaveLength(1)
      relay.refuse(undefined)
      await expect(connection.request('irn_publish', publication)).resolves.toBe(true)
    })
  }

  it('is called with its own time when the clock of the device is wrong', async () => {
    const relay = createTestRelay()
    const relayTime = Date.now() - 3_600_000
    relay.refuse('JWT validation error: JWT Token is not yet valid')
    const fetch = vi.fn(async () => {
      relay.refuse(undefined)
      return new Response('', { headers: { date: new Date(relayTime).toUTCString() } })
    })
    const { connection, refused } = connectTo(relay, { fetch })
    await expect(connection.request('irn_publish', publication)).resolves.toBe(true)
    expect(fetch).toHaveBeenCalledExactlyOnceWith(new URL('https://relay.test/health'), expect.anything())
    const claims = JSON.parse(
      atob(new URL(relay.opened[1] ?? '').searchParams.get('auth')?.split('.')[1] ?? ''),
    )
    expect(claims.iat).toBe(Math.floor(relayTime / 1000))
    expect(refused).not.toHaveBeenCalled()
  })

  it('is not called again when its clock agrees with the device', async () => {
    const relay = createTestRelay()
    relay.refuse('JWT validation error: JWT Token is expired')
    const fetch = vi.fn(async () => new Response('', { headers: { date: new Date().toUTCString() } }))
    const { connection } = connectTo(relay, { fetch })
    await expect(outcome(connection.request('irn_publish', publication))).resolves.toBe('token')
    expect(relay.opened).toHaveLength(1)
  })

  it('has the request sent again while it answers "too many requests"', async () => {
    const relay = createTestRelay()
    relay.limit(3)
    const { connection } = connectTo(relay)
    const result = outcome(connection.request('irn_publish', publication))
    await vi.advanceTimersByTimeAsync(5_000)
    await expect(result).resolves.toBe('accepted')
    expect(relay.opened).toHaveLength(1)
  })

  it('rejects with its error for an invalid request', async () => {
    const { connection } = connectTo(createTestRelay())
    await expect(connection.request('irn_unknown', {})).rejects.toMatchObject({ code: -32600 })
  })
})

describe('two relays', () => {
  const relays = () => [createTestRelay('wss://one.test'), createTestRelay('wss://two.test')] as const

  it('reach a wallet that uses either', async () => {
    for (const reached of [0, 1] as const) {
      const both = relays()
      const pairing = createSite(both).pair({ optionalNamespaces: proposed })
      const { createWallet } = await import('../testing/peers.ts')
      createWallet([both[reached]]).pair(pairing.uri)
      const { topic: session } = await pairing.approval
      await vi.advanceTimersByTimeAsync(1_000)
      const other = both[1 - reached] as TestRelay
      expect(other.requests.filter(({ params }) => params.topic === session)).toEqual([])
    }
  })

  it('deliver a message to the client once', async () => {
    const event = vi.fn()
    const both = relays()
    const { wallet, session } = await connectPeers(both, { site: { event } })
    await wallet.emit(session.topic, { name: 'chainChanged', data: 10 }, 'eip155:1')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(event).toHaveBeenCalledOnce()
  })

  it('need not both be up', async () => {
    const both = relays()
    both[0].stop()
    await expect(connectPeers(both)).resolves.toBeDefined()
  })
})

it('handles a message once that a relay delivers twice', async () => {
  const event = vi.fn()
  const relay = createTestRelay()
  relay.duplicate()
  const { wallet, session } = await connectPeers([relay], { site: { event } })
  await wallet.emit(session.topic, { name: 'chainChanged', data: 10 }, 'eip155:1')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(event).toHaveBeenCalledOnce()
})

it('acknowledges what it has handled, so that mailboxes are emptied', async () => {
  const relay = createTestRelay()
  const { session } = await connectPeers([relay])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(relay.mailbox(session.topic)).toEqual([])
})
