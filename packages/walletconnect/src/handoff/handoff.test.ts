import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sealEnvelope } from '../crypto/envelope.ts'
import { generateKeyPair, topicOf } from '../crypto/keys.ts'
import { createSite, createStorage, createWallet, proposed } from '../testing/peers.ts'
import { createTestGateway } from '../testing/testGateway.ts'
import { createTestRelay, type TestRelay } from '../testing/testRelay.ts'
import { meetingKeyOf } from './agreement.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }))
afterEach(() => void vi.useRealTimers())

function open(relay: TestRelay = createTestRelay()) {
  const gateway = createTestGateway(() => Date.now())
  return { relay, gateway, site: createSite([relay]), wallet: createWallet([relay]) }
}

const settle = (ms = 100) => vi.advanceTimersByTimeAsync(ms)

/** Settles a promise without failing the test. */
function outcome(promise: Promise<unknown>) {
  return promise.then(
    () => 'done',
    (error: { code?: number; message: string }) => error.code ?? error.message,
  )
}

/** Starts a hand-off that a wallet page has claimed, with the digits on both screens. */
async function meet(given = open()) {
  const { gateway, site, wallet } = given
  const pending = await site.handOff({ optionalNamespaces: proposed }, gateway)
  const claimed = await wallet.claim(pending.id, gateway)
  await settle()
  return { ...given, pending, claimed }
}

describe('a hand-off', () => {
  it('shows the same six digits on both screens, and becomes a session once both are confirmed', async () => {
    const { pending, claimed, site, wallet } = await meet()
    const digits = await pending.digits
    expect(digits).toMatch(/^\d{6}$/)
    expect(await claimed.digits).toBe(digits)
    expect(claimed.site).toMatchObject({ projectName: 'Site', origin: 'https://site.test' })
    claimed.confirm()
    await settle()
    expect(site.sessions()).toEqual([])
    pending.confirm()
    await settle()
    const session = await pending.approval
    expect(site.sessions().map(({ topic }) => topic)).toEqual([session.topic])
    expect(wallet.sessions().map(({ topic }) => topic)).toEqual([session.topic])
  })

  it('sends nothing to a relay that the wallet page does not use', async () => {
    const { relay, gateway, wallet } = open()
    const other = createTestRelay('wss://public.test')
    const site = createSite([relay, other])
    const request = { optionalNamespaces: proposed, relayUrls: [relay.url] }
    const pending = await site.handOff(request, gateway)
    const claimed = await wallet.claim(pending.id, gateway)
    await settle()
    claimed.confirm()
    pending.confirm()
    await settle()
    expect(await outcome(pending.approval)).toBe('done')
    expect(other.requests).toEqual([])
  })

  it('is refused by either page when the gateway names another hand-off', async () => {
    const { relay, gateway, site, wallet } = open()
    const pending = await site.handOff({ optionalNamespaces: proposed }, gateway)
    const other = await createSite([relay]).handOff({ optionalNamespaces: proposed }, gateway)
    const claim = (_: string, publicKey: string) => gateway.claim(other.id, publicKey)
    await expect(wallet.claim(pending.id, { claim })).rejects.toThrow('another commitment')
    const create = async (commitment: string) => ({ ...(await gateway.create(commitment)), id: pending.id })
    const mine = site.handOff({ optionalNamespaces: proposed }, { ...gateway, create })
    await expect(mine).rejects.toThrow('another id')
  })

  it('asks no more than once a second, however often anybody with the link says that it is claimed', async () => {
    const { relay, gateway, site } = open()
    const find = vi.fn(gateway.find)
    const pending = await site.handOff({ optionalNamespaces: proposed }, { ...gateway, find })
    const symKey = meetingKeyOf(pending.id)
    for (let count = 1; count <= 50; count++) {
      const text = JSON.stringify({ id: count, jsonrpc: '2.0', method: 'hawser_handoffClaimed', params: {} })
      relay.publish(topicOf(symKey), sealEnvelope(text, symKey))
    }
    await settle(900)
    expect(find).toHaveBeenCalledTimes(1)
  })

  it('takes the confirmations in the other order as well', async () => {
    const { pending, claimed, wallet } = await meet()
    pending.confirm()
    await settle(30_000)
    expect(wallet.sessions()).toEqual([])
    claimed.confirm()
    await settle()
    expect(await outcome(pending.approval)).toBe('done')
  })

  it('proposes nothing before the visitor has confirmed at the desk', async () => {
    const { relay, claimed } = await meet()
    claimed.confirm()
    await settle(10_000)
    expect(relay.requests.some(({ method }) => method === 'wc_proposeSession')).toBe(false)
  })

  it('does not begin with invalid namespaces', async () => {
    const { gateway, site } = open()
    const create = vi.spyOn(gateway, 'create')
    const invalid = { eip155: { chains: ['solana:1'], methods: [], events: [] } }
    expect(await outcome(site.handOff({ optionalNamespaces: invalid }, gateway))).toBe(5100)
    expect(create).not.toHaveBeenCalled()
  })

  it('cannot be confirmed before there are digits', async () => {
    const { gateway, site, relay } = open()
    const pending = await site.handOff({ optionalNamespaces: proposed }, gateway)
    pending.confirm()
    await settle()
    expect(relay.requests.some(({ method }) => method === 'wc_proposeSession')).toBe(false)
  })

  it('survives a relay that restarts, and one that delivers everything twice', async () => {
    const given = open()
    given.relay.duplicate()
    const pending = await given.site.handOff({ optionalNamespaces: proposed }, given.gateway)
    given.relay.stop()
    const claimed = await given.wallet.claim(pending.id, given.gateway)
    await settle(3_000)
    given.relay.start()
    await settle(30_000)
    expect(await claimed.digits).toBe(await pending.digits)
    pending.confirm()
    claimed.confirm()
    await settle(10_000)
    expect(await outcome(pending.approval)).toBe('done')
    expect(given.wallet.sessions()).toHaveLength(1)
  })

  it('lasts a day in which the phone sleeps and the relay restarts, with no request lost or doubled', async () => {
    const { relay, gateway, site } = open()
    const asked: unknown[] = []
    const storage = createStorage()
    const openPage = () =>
      createWallet(
        [relay],
        {
          requested({ params, respond }) {
            asked.push(params)
            void respond(params)
          },
        },
        { storage },
      )
    let page = openPage()
    const pending = await site.handOff({ optionalNamespaces: proposed }, gateway)
    const claimed = await page.claim(pending.id, gateway)
    await settle()
    claimed.confirm()
    pending.confirm()
    await settle()
    const { topic } = await pending.approval
    for (let hour = 0; hour < 24; hour++) {
      page.close()
      if (hour % 6 === 3) relay.stop()
      const call = { topic, chainId: 'eip155:1', method: 'personal_sign', params: hour } as const
      const answered = outcome(site.request({ ...call, expirySeconds: 7_200 }))
      await settle(5_000)
      relay.start()
      await settle(20 * 60_000)
      page = openPage()
      await settle(40 * 60_000)
      expect(await answered).toBe('done')
    }
    expect(asked).toEqual(Array.from({ length: 24 }, (_, hour) => hour))
  })

  it('tells a second wallet page that it is late, and goes on with the first', async () => {
    const { gateway, relay, pending, claimed } = await meet()
    await expect(createWallet([relay]).claim(pending.id, gateway)).rejects.toThrow('another device')
    expect(gateway.refused).toHaveLength(1)
    expect(await claimed.digits).toBe(await pending.digits)
  })

  it('tells the desk of a second wallet page until it has confirmed, and asks no more then', async () => {
    const { gateway, relay, pending, claimed } = await meet()
    const told = vi.fn()
    void pending.secondScan.then(told)
    await settle(10_000)
    expect(told).not.toHaveBeenCalled()
    await outcome(createWallet([relay]).claim(pending.id, gateway))
    const find = vi.spyOn(gateway, 'find')
    await settle(5_000)
    expect(told).toHaveBeenCalledOnce()
    await settle(60_000)
    expect(find).toHaveBeenCalledOnce()
    const other = await meet()
    other.pending.confirm()
    const findAgain = vi.spyOn(other.gateway, 'find')
    await settle(60_000)
    expect(findAgain).not.toHaveBeenCalled()
    claimed.decline()
  })

  it('goes on in a wallet page that was loaded again before the confirmation', async () => {
    const { gateway, relay, site } = open()
    const storage = createStorage()
    const pending = await site.handOff({ optionalNamespaces: proposed }, gateway)
    const first = createWallet([relay], {}, { storage })
    await first.claim(pending.id, gateway)
    await settle()
    first.close()
    const second = await createWallet([relay], {}, { storage }).claim(pending.id, gateway)
    await settle(10_000)
    expect(await second.digits).toBe(await pending.digits)
    second.confirm()
    pending.confirm()
    await settle()
    expect(await outcome(pending.approval)).toBe('done')
  })

  it('goes on after its wallet page was loaded again, although another one was opened meanwhile', async () => {
    const { gateway, relay, site } = open()
    const storage = createStorage()
    const page = () => createWallet([relay], {}, { storage })
    const pending = await site.handOff({ optionalNamespaces: proposed }, gateway)
    const other = await createSite([relay]).handOff({ optionalNamespaces: proposed }, gateway)
    const [first, second] = [page(), page()]
    await first.claim(pending.id, gateway)
    await second.claim(other.id, gateway)
    await settle()
    first.close()
    const again = await page().claim(pending.id, gateway)
    await settle(10_000)
    expect(await again.digits).toBe(await pending.digits)
    again.decline()
    second.close()
    const otherAgain = await page().claim(other.id, gateway)
    await settle(10_000)
    expect(await otherAgain.digits).toBe(await other.digits)
  })

  it('leaves no key behind for longer than an hour, and not many', async () => {
    const { gateway, relay, site } = open()
    const storage = createStorage()
    storage.setItem('handoff', `${'A'.repeat(22)} ${'ab'.repeat(32)}`)
    const keys = () => JSON.parse(storage.getItem('handoff') ?? '[]') as readonly { id: string }[]
    const wallet = createWallet([relay], {}, { storage })
    expect(storage.getItem('handoff')).toBeNull()
    const claim = async () => {
      const { id } = await site.handOff({ optionalNamespaces: proposed }, gateway)
      await wallet.claim(id, gateway)
      return id
    }
    const ids: string[] = []
    while (ids.length < 22) ids.push(await claim())
    expect(keys().map(({ id }) => id)).toEqual(ids.slice(-20))
    wallet.close()
    vi.setSystemTime(Date.now() + 3_600_000)
    createWallet([relay], {}, { storage })
    expect(storage.getItem('handoff')).toBeNull()
  })

  it('keeps no key of itself once it is over', async () => {
    const { gateway, relay, site } = open()
    const storage = createStorage()
    const wallet = createWallet([relay], {}, { storage })
    for (const decide of ['confirm', 'decline'] as const) {
      const pending = await site.handOff({ optionalNamespaces: proposed }, gateway)
      const claimed = await wallet.claim(pending.id, gateway)
      await settle()
      expect(storage.values.has('handoff')).toBe(true)
      claimed[decide]()
      pending.confirm()
      await settle()
      expect(storage.values.has('handoff')).toBe(false)
    }
  })

  it('goes on in a wallet page that was loaded again while the wallet asked for accounts', async () => {
    const { gateway, relay, site } = open()
    const storage = createStorage()
    const pending = await site.handOff({ optionalNamespaces: proposed }, gateway)
    const asked = vi.fn(() => new Promise<void>(() => undefined))
    const first = createWallet([relay], { proposed: asked }, { storage })
    const claimed = await first.claim(pending.id, gateway)
    await settle()
    claimed.confirm()
    pending.confirm()
    await settle()
    expect(asked).toHaveBeenCalledOnce()
    first.close()
    const again = await createWallet([relay], {}, { storage }).claim(pending.id, gateway)
    await settle(10_000)
    expect(await again.digits).toBe(await pending.digits)
    again.confirm()
    await settle()
    expect(await outcome(pending.approval)).toBe('done')
  })

  it('ends on both sides when either says that the digits differ', async () => {
    const first = await meet()
    first.claimed.decline()
    await settle()
    expect(await outcome(first.pending.approval)).toBe(5000)
    const second = await meet()
    second.pending.cancel()
    await settle()
    expect(await outcome(second.claimed.digits.then(() => second.pending.approval))).toBe(6000)
    expect(await second.claimed.ended).toMatchObject({ code: 5000 })
    second.claimed.confirm()
    await settle()
    expect(second.wallet.sessions()).toEqual([])
  })

  it('is declined at the desk although the wallet page has confirmed it', async () => {
    const { pending, claimed, wallet } = await meet()
    claimed.confirm()
    await settle()
    pending.cancel()
    await settle()
    expect(await claimed.ended).toMatchObject({ code: 5000 })
    expect(wallet.sessions()).toEqual([])
  })

  it('expires after four minutes', async () => {
    const { gateway, site, wallet } = open()
    const pending = await site.handOff({ optionalNamespaces: proposed }, gateway)
    const claimed = await wallet.claim(pending.id, gateway)
    site.close()
    await settle(240_000)
    expect(await outcome(claimed.digits)).toBe(8000)
    expect(await outcome(pending.digits)).toBe(6000)
    const { gateway: other, site: alone } = open()
    const unclaimed = await alone.handOff({ optionalNamespaces: proposed }, other)
    await settle(240_000)
    expect(await outcome(unclaimed.digits)).toBe(8000)
    await expect(wallet.claim(unclaimed.id, other)).rejects.toThrow('expired')
  })

  it('ignores an opening that does not fit the commitment', async () => {
    const { relay, gateway, site, wallet } = open()
    const pending = await site.handOff({ optionalNamespaces: proposed }, gateway)
    const meetingKey = meetingKeyOf(pending.id)
    const forged = { publicKey: generateKeyPair().publicKey, opening: '00'.repeat(32) }
    const text = JSON.stringify({ id: 1, jsonrpc: '2.0', method: 'hawser_handoffOpened', params: forged })
    const claimed = await wallet.claim(pending.id, gateway)
    relay.publish(topicOf(meetingKey), sealEnvelope(text, meetingKey))
    await settle()
    expect(await claimed.digits).toBe(await pending.digits)
  })

  it('gives no session to a proposal that does not come under the key of the pairing', async () => {
    const asked = vi.fn()
    const given = open()
    const wallet = createWallet([given.relay], { proposed: asked })
    const pending = await given.site.handOff({ optionalNamespaces: {} }, given.gateway)
    const claimed = await wallet.claim(pending.id, given.gateway)
    const propose = (symKey: string) => {
      const params = {
        proposer: { publicKey: generateKeyPair().publicKey, metadata: {} },
        optionalNamespaces: {},
      }
      const text = JSON.stringify({ id: 1, jsonrpc: '2.0', method: 'wc_sessionPropose', params })
      given.relay.publish(topicOf(symKey), sealEnvelope(text, symKey))
    }
    propose(meetingKeyOf(pending.id))
    await settle()
    claimed.confirm()
    propose(meetingKeyOf(pending.id))
    await settle()
    expect(asked).not.toHaveBeenCalled()
    pending.confirm()
    await settle()
    expect(asked).toHaveBeenCalledOnce()
  })

  it('asks the gateway although no message of the wallet page arrives', async () => {
    const { gateway, site } = open()
    const pending = await site.handOff({ optionalNamespaces: proposed }, gateway)
    await gateway.claim(pending.id, generateKeyPair().publicKey)
    await settle(6_000)
    expect(await pending.digits).toMatch(/^\d{6}$/)
  })
})
