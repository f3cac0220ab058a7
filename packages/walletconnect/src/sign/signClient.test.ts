import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sealEnvelope } from '../crypto/envelope.ts'
import type { Socket } from '../environment.ts'
import {
  account,
  approved,
  connectPeers,
  createSite,
  createStorage,
  createWallet,
  proposed,
} from '../testing/peers.ts'
import { createTestRelay, type TestRelay } from '../testing/testRelay.ts'
import { parsePairingUri } from './pairingUri.ts'
import type { Proposal, WalletRequest } from './walletListener.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }))
afterEach(() => void vi.useRealTimers())

const signs = { requested: ({ params, respond }: WalletRequest) => void respond(`signed ${params}`) }
const call = { chainId: 'eip155:1', method: 'personal_sign', params: ['0x00'] }

/** Returns the environment of a page that a browser can suspend: its timers stop and its sockets are closed. */
function createSuspendablePage(relay: TestRelay) {
  const sockets: Socket[] = []
  const due = new Set<() => void>()
  let isSuspended = false
  const after = (ms: number, task: () => void) => {
    const timer = setTimeout(() => (isSuspended ? due.add(task) : task()), ms)
    return () => {
      clearTimeout(timer)
      due.delete(task)
    }
  }
  return {
    environment: {
      clock: { now: () => Date.now(), after },
      openSocket(url: string) {
        const socket = relay.openSocket(url)
        sockets.push(socket)
        return socket
      },
    },
    suspend() {
      isSuspended = true
      for (const socket of sockets) socket.close()
    },
    resume() {
      isSuspended = false
      for (const task of [...due]) if (due.delete(task)) task()
    },
  }
}

describe('a pairing', () => {
  it('becomes a session with what the wallet approved', async () => {
    const { session, site, wallet } = await connectPeers([createTestRelay()])
    expect(session).toMatchObject({
      namespaces: approved,
      peer: { metadata: { name: 'wallet' } },
      expiresAt: Date.now() + 7 * 86_400_000,
    })
    expect(site.sessions().map(({ topic }) => topic)).toEqual([session.topic])
    expect(wallet.sessions().map(({ topic }) => topic)).toEqual([session.topic])
  })

  it('has a URI at once, that is valid for five minutes', () => {
    const relay = createTestRelay()
    relay.stop()
    const { uri, expiresAt } = createSite([relay]).pair({ optionalNamespaces: proposed })
    expect(uri).toMatch(/^wc:[0-9a-f]{64}@2\?relay-protocol=irn&symKey=[0-9a-f]{64}&expiryTimestamp=\d+$/)
    expect(expiresAt).toBe(Date.now() + 300_000)
  })

  it('is answered by a wallet that scans it after the site has gone to sleep', async () => {
    const relay = createTestRelay()
    const pairing = createSite([relay]).pair({ optionalNamespaces: proposed })
    await vi.advanceTimersByTimeAsync(1_000)
    relay.stop()
    relay.start()
    createWallet([relay]).pair(pairing.uri)
    await vi.advanceTimersByTimeAsync(2_000)
    await expect(pairing.approval).resolves.toMatchObject({ namespaces: approved })
  })

  it('rejects with the code of a wallet that declines', async () => {
    const declines = { proposed: (proposal: { reject(): Promise<void> }) => void proposal.reject() }
    await expect(connectPeers([createTestRelay()], { wallet: declines })).rejects.toMatchObject({
      code: 5000,
    })
  })

  it('rejects when no wallet answers', async () => {
    const pairing = createSite([createTestRelay()]).pair({ optionalNamespaces: proposed })
    await vi.advanceTimersByTimeAsync(300_000)
    await expect(pairing.approval).rejects.toMatchObject({ code: 8000 })
  })

  it('rejects when it is cancelled, and leaves no topic open', async () => {
    const relay = createTestRelay()
    const pairing = createSite([relay]).pair({ optionalNamespaces: proposed })
    await vi.advanceTimersByTimeAsync(1_000)
    pairing.cancel()
    await expect(pairing.approval).rejects.toMatchObject({ code: 6000 })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(relay.requests.at(-1)?.method).toBe('irn_unsubscribe')
  })

  it('rejects, and so does the wallet, when an approval lacks what was required', async () => {
    const deleted = vi.fn()
    const required = { eip155: { chains: ['eip155:10'], methods: ['personal_sign'], events: [] } }
    const relay = createTestRelay()
    const site = createSite([relay])
    const pairing = site.pair({ requiredNamespaces: required, optionalNamespaces: {} })
    const wallet = createWallet([relay], {
      deleted,
      // A wallet that skips its own validation.
      proposed: ({ requiredNamespaces, ...proposal }) =>
        void proposal
          .approve({ namespaces: approved })
          .catch(() => proposal.reject({ code: 5001, message: '' })),
    })
    wallet.pair(pairing.uri)
    await expect(pairing.approval).rejects.toMatchObject({ code: 5001 })
    expect(site.sessions()).toEqual([])
  })

  it('is not kept by a wallet whose approval the relay does not take', async () => {
    const relay = createTestRelay()
    const pairing = createSite([relay]).pair({ optionalNamespaces: proposed })
    pairing.approval.catch(() => undefined)
    const failed = vi.fn()
    const wallet = createWallet([relay], {
      proposed(proposal) {
        relay.stop()
        proposal.approve({ namespaces: approved }).catch(failed)
      },
    })
    wallet.pair(pairing.uri)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(failed).toHaveBeenCalledOnce()
    expect(wallet.sessions()).toEqual([])
  })

  it('works in a browser without AbortSignal.any', async () => {
    vi.stubGlobal('AbortSignal', { timeout: AbortSignal.timeout })
    await expect(connectPeers([createTestRelay()])).resolves.toBeDefined()
    vi.unstubAllGlobals()
  })

  it('refuses to propose invalid namespaces', () => {
    const site = createSite([createTestRelay()])
    expect(() => site.pair({ optionalNamespaces: { eip155: { methods: [], events: [] } } })).toThrow(
      expect.objectContaining({ code: 5100 }),
    )
  })

  it('is refused by a wallet once its URI has expired', () => {
    const relay = createTestRelay()
    const { uri } = createSite([relay]).pair({ optionalNamespaces: proposed })
    vi.advanceTimersByTime(300_000)
    expect(() => createWallet([relay]).pair(uri)).toThrow('expired')
  })
})

describe('a session', () => {
  it('carries a request and its result', async () => {
    const { site, session } = await connectPeers([createTestRelay()], { wallet: signs })
    await expect(site.request({ topic: session.topic, ...call })).resolves.toBe('signed 0x00')
  })

  it('carries a payload with 80,000 digits', async () => {
    const digits = '7'.repeat(80_000)
    const { site, session } = await connectPeers([createTestRelay()], { wallet: signs })
    await expect(site.request({ topic: session.topic, ...call, params: [digits] })).resolves.toBe(
      `signed ${digits}`,
    )
  })

  it('writes a request to the socket before it reports it as sent', async () => {
    const relay = createTestRelay()
    const { storage } = await connectPeers([relay])
    const sent: string[] = []
    const openSocket = (url: string) => {
      const socket = relay.openSocket(url)
      const send = socket.send.bind(socket)
      socket.send = (text) => {
        sent.push(text)
        send(text)
      }
      return socket
    }
    const site = createSite([relay], {}, { storage, openSocket })
    await vi.advanceTimersByTimeAsync(100)
    const [session] = site.sessions()
    const before = sent.length
    let reportedAfter = 0
    const onSend = () => {
      reportedAfter = sent.length - before
    }
    void site.request({ topic: session?.topic ?? '', ...call, onSend }).catch(() => undefined)
    await vi.advanceTimersByTimeAsync(10)
    expect(reportedAfter).toBe(1)
  })

  it('rejects with the error of the wallet', async () => {
    const rejects = {
      requested: ({ reject }: WalletRequest) => void reject({ code: 4001, message: 'no', data: { a: 1 } }),
    }
    const { site, session } = await connectPeers([createTestRelay()], { wallet: rejects })
    await expect(site.request({ topic: session.topic, ...call })).rejects.toMatchObject({
      code: 4001,
      message: 'no',
      data: { a: 1 },
    })
  })

  it('sends no request that the wallet did not approve', async () => {
    const relay = createTestRelay()
    const { site, session } = await connectPeers([relay])
    const sent = relay.requests.length
    const refused = expect.objectContaining({ code: 3001 })
    await expect(site.request({ topic: session.topic, ...call, method: 'eth_sign' })).rejects.toEqual(refused)
    await expect(site.request({ topic: session.topic, ...call, chainId: 'eip155:10' })).rejects.toEqual(
      refused,
    )
    expect(relay.requests).toHaveLength(sent)
  })

  it('probes its relay every 5 s of silence while the wallet has not answered', async () => {
    const relay = createTestRelay()
    const { site, session } = await connectPeers([relay])
    const probes = () => relay.requests.filter(({ method }) => method === 'irn_batchSubscribe').length
    const answer = site.request({ topic: session.topic, ...call }).catch(() => undefined)
    await vi.advanceTimersByTimeAsync(1_000)
    const before = probes()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(probes() - before).toBeGreaterThanOrEqual(3)
    await vi.advanceTimersByTimeAsync(400_000)
    await answer
    const after = probes()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(probes() - after).toBeLessThan(3)
  })

  it('rejects a request that the wallet does not answer before its expiry', async () => {
    const { site, session } = await connectPeers([createTestRelay()])
    const result = site.request({ topic: session.topic, ...call })
    const rejected = expect(result).rejects.toMatchObject({ code: 8000 })
    await vi.advanceTimersByTimeAsync(300_000)
    await rejected
  })

  it('has the answer that the wallet gave while the page was suspended for longer than the request', async () => {
    const relay = createTestRelay()
    const { site: first, session, storage } = await connectPeers([relay], { wallet: signs })
    first.close()
    const page = createSuspendablePage(relay)
    const site = createSite([relay], {}, { storage, ...page.environment })
    await vi.advanceTimersByTimeAsync(100)
    const answer = site.request({ topic: session.topic, ...call })
    answer.catch(() => undefined)
    page.suspend()
    await vi.advanceTimersByTimeAsync(400_000)
    page.resume()
    await vi.advanceTimersByTimeAsync(2_000)
    await expect(answer).resolves.toBe('signed 0x00')
  })

  it('ends on both sides when the site disconnects', async () => {
    const deleted = vi.fn()
    const { site, wallet, session } = await connectPeers([createTestRelay()], { wallet: { deleted } })
    await site.disconnect(session.topic)
    await vi.advanceTimersByTimeAsync(100)
    expect(deleted).toHaveBeenCalledOnce()
    expect([site.sessions(), wallet.sessions()]).toEqual([[], []])
  })

  it('ends on both sides when the wallet disconnects, and rejects what waits for an answer', async () => {
    const deleted = vi.fn()
    const { site, wallet, session } = await connectPeers([createTestRelay()], { site: { deleted } })
    const result = expect(site.request({ topic: session.topic, ...call })).rejects.toMatchObject({
      code: 6000,
    })
    await wallet.disconnect(session.topic)
    await result
    expect(deleted).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ topic: session.topic }))
    expect(site.sessions()).toEqual([])
  })

  it('ends at once on this side when no relay is reached', async () => {
    const relay = createTestRelay()
    const { site, session } = await connectPeers([relay])
    relay.stop()
    const ended = site.disconnect(session.topic)
    expect(site.sessions()).toEqual([])
    await vi.advanceTimersByTimeAsync(5_000)
    await ended
  })

  it('has the accounts of the newest update, whatever the order of arrival', async () => {
    const relay = createTestRelay()
    const { site, wallet, session, storage } = await connectPeers([relay])
    site.close()
    const both = { eip155: { ...approved.eip155, accounts: [account('eip155:1'), account('eip155:10')] } }
    const updates = [wallet.update(session.topic, both as typeof approved)]
    await vi.advanceTimersByTimeAsync(100)
    updates.push(wallet.update(session.topic, approved))
    await vi.advanceTimersByTimeAsync(100)
    relay.reverseMailboxes()
    const restored = createSite([relay], {}, { storage })
    await Promise.all(updates)
    expect(restored.sessions()[0]?.namespaces).toEqual(approved)
  })

  it('has the accounts of an update', async () => {
    const updated = vi.fn()
    const { site, wallet, session } = await connectPeers([createTestRelay()], { site: { updated } })
    const both = { eip155: { ...approved.eip155, accounts: [account('eip155:1'), account('eip155:10')] } }
    await wallet.update(session.topic, both as typeof approved)
    expect(site.sessions()[0]?.namespaces).toEqual(both)
    expect(updated).toHaveBeenCalledOnce()
  })

  it('is extended by the wallet', async () => {
    const { site, wallet, session } = await connectPeers([createTestRelay()])
    await vi.advanceTimersByTimeAsync(86_400_000)
    await wallet.extend(session.topic)
    expect(site.sessions()[0]?.expiresAt).toBe(Date.now() + 7 * 86_400_000)
  })

  it('expires', async () => {
    const deleted = vi.fn()
    const { site } = await connectPeers([createTestRelay()], { site: { deleted } })
    await vi.advanceTimersByTimeAsync(7 * 86_400_000)
    expect(deleted).toHaveBeenCalledOnce()
    expect(site.sessions()).toEqual([])
  })

  it('carries events that it allows', async () => {
    const event = vi.fn()
    const { wallet, session } = await connectPeers([createTestRelay()], { site: { event } })
    await wallet.emit(session.topic, { name: 'chainChanged', data: 10 }, 'eip155:1')
    await vi.advanceTimersByTimeAsync(100)
    expect(event).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ topic: session.topic }),
      { name: 'chainChanged', data: 10 },
      'eip155:1',
    )
    await expect(wallet.emit(session.topic, { name: 'other', data: 1 }, 'eip155:1')).rejects.toMatchObject({
      code: 3002,
    })
  })

  it('is pinged by either side', async () => {
    const { site, wallet, session } = await connectPeers([createTestRelay()])
    await site.ping(session.topic)
    await wallet.ping(session.topic)
  })

  it('is restored from storage, and receives what arrived meanwhile', async () => {
    const relay = createTestRelay()
    const { site, wallet, session, storage } = await connectPeers([relay])
    site.close()
    await vi.advanceTimersByTimeAsync(100)
    const both = { eip155: { ...approved.eip155, accounts: [account('eip155:1'), account('eip155:10')] } }
    const update = wallet.update(session.topic, both as typeof approved)
    await vi.advanceTimersByTimeAsync(100)
    const restored = createSite([relay], {}, { storage })
    await update
    expect(restored.sessions()[0]?.namespaces).toEqual(both)
  })

  it('is shared by tabs: what ends in one ends in the other', async () => {
    const relay = createTestRelay()
    const deleted = vi.fn()
    const { site, session, storage } = await connectPeers([relay])
    const other = createSite([relay], { deleted }, { storage })
    await site.disconnect(session.topic)
    await vi.advanceTimersByTimeAsync(100)
    expect(other.sessions()).toEqual([])
  })
})

it('logs nothing of a message that it cannot read', async () => {
  const log = vi.fn()
  const relay = createTestRelay()
  const site = createSite([relay], {}, { log })
  const { uri } = site.pair({ optionalNamespaces: proposed })
  await vi.advanceTimersByTimeAsync(10)
  const { topic, symKey } = parsePairingUri(uri)
  const message = sealEnvelope('a secret text', symKey)
  relay.sendRaw(
    JSON.stringify({
      id: 1,
      jsonrpc: '2.0',
      method: 'irn_subscription',
      params: { id: '', data: { topic, message } },
    }),
  )
  await vi.advanceTimersByTimeAsync(10)
  expect(log).toHaveBeenCalledWith('warn', 'dropped a message of a peer', { error: 'SyntaxError' })
  expect(JSON.stringify(log.mock.calls)).not.toContain('secret')
})

it('cannot propose to a wallet on the topic of a session', async () => {
  const relay = createTestRelay()
  const asked = vi.fn((proposal: Proposal) => void proposal.approve({ namespaces: approved }))
  const { session, storage } = await connectPeers([relay], { wallet: { proposed: asked } })
  const [, symKey = ''] = /"symKey":"([0-9a-f]{64})"/.exec([...storage.values.values()].join()) ?? []
  const params = { proposer: { publicKey: 'ab'.repeat(32), metadata: {} }, optionalNamespaces: {} }
  const text = JSON.stringify({ id: 1, jsonrpc: '2.0', method: 'wc_sessionPropose', params })
  relay.publish(session.topic, sealEnvelope(text, symKey))
  await vi.advanceTimersByTimeAsync(100)
  expect(asked).toHaveBeenCalledOnce()
})

it('opens no socket before it is used', async () => {
  const relay = createTestRelay()
  createSite([relay], {}, { storage: createStorage() })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(relay.opened).toEqual([])
})

describe('a closed client', () => {
  it('leaves no timer, and rejects what waits', async () => {
    const relay = createTestRelay()
    const { site, wallet, session } = await connectPeers([relay])
    const { approval } = site.pair({ optionalNamespaces: proposed })
    const answer = site.request({ topic: session.topic, ...call })
    const declined = Promise.all([
      expect(approval).rejects.toThrow('the client is closed'),
      expect(answer).rejects.toThrow('the client is closed'),
    ])
    await vi.advanceTimersByTimeAsync(1_000)
    relay.stop()
    for (const client of [site, wallet]) client.close()
    await declined
    expect(vi.getTimerCount()).toBe(0)
  })
})
