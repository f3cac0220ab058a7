import type { Socket } from '@hawser/walletconnect'
import { createStorage } from '@hawser/walletconnect/testing'
import type { WalletGateway } from '@hawser/walletconnect/wallet'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ClaimError, type Refusal } from './gateway.ts'
import { type Screen, startPage } from './page.ts'
import { createSessions } from './session/sessions.ts'
import { createMobileWallet, pageWalletOf } from './testing/mobileWallet.ts'
import { openWorld, outcome, proposed, settle } from './testing/world.ts'
import type { PageWallet } from './wallets/pageWallet.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }))
afterEach(() => void vi.useRealTimers())

const wallets = (provider = createMobileWallet()): readonly PageWallet[] => [pageWalletOf(provider)]

/** Opens the page of a hand-off. */
function open({
  world = openWorld(),
  id = 'id',
  gateway = world.gateway as WalletGateway,
  isLasting = true,
  found = wallets(world.wallet),
}: {
  readonly world?: ReturnType<typeof openWorld>
  readonly id?: string
  readonly gateway?: WalletGateway
  readonly isLasting?: boolean
  readonly found?: readonly PageWallet[]
} = {}) {
  const screens: Screen[] = []
  const sockets: Socket[] = []
  let isLeft = false
  let announce: (wallets: readonly PageWallet[]) => void = () => undefined
  const page = startPage({
    id,
    url: 'https://gateway.test',
    relayUrl: world.relay.url,
    gateway,
    storage: { ...world.storage, isLasting },
    locks: undefined,
    environment: {
      ...world.environment,
      openSocket(url) {
        const socket = isLeft
          ? ({ readyState: 0, close: () => undefined } as Socket)
          : world.relay.openSocket(url)
        sockets.push(socket)
        return socket
      },
    },
    loadSessions: async () => createSessions,
    async watchWallets(changed) {
      announce = changed
      if (found.length > 0) changed(found)
    },
    show: (screen) => void screens.push(screen),
  })
  return {
    page,
    /** Closes the page. */
    leave() {
      isLeft = true
      for (const socket of sockets) socket.close()
    },
    announce: (later: readonly PageWallet[]) => announce(later),
    /** The screens so far, each once while it lasts. */
    path: () => screens.map(({ at }) => at).filter((at, index, all) => at !== all[index - 1]),
    screen: <At extends Screen['at']>(at: At) => {
      const last = screens.at(-1)
      expect(last?.at).toBe(at)
      return last as Extract<Screen, { at: At }>
    },
  }
}

/** Opens the page of a hand-off that a site started. */
async function handOff(options: { readonly isLasting?: boolean } = {}, world = openWorld()) {
  const pending = await world.site.handOff({ optionalNamespaces: proposed }, world.gateway)
  const opened = open({ world, id: pending.id, ...options })
  await settle(1_000)
  return { ...opened, world, pending }
}

async function connect(options: { readonly isLasting?: boolean } = {}) {
  const opened = await handOff(options)
  opened.page.confirm()
  opened.pending.confirm()
  await settle()
  return { ...opened, session: await opened.pending.approval }
}

describe('a hand-off', () => {
  it('shows the site and its number, and is connected when both screens are confirmed', async () => {
    const { page, pending, screen, path } = await handOff()
    const { site, digits } = screen('comparing')
    expect(site).toEqual({ projectId: '01', name: 'Site', origin: 'https://site.test' })
    expect(digits).toBe(await pending.digits)
    page.confirm()
    await settle()
    screen('waiting')
    pending.confirm()
    await settle()
    expect(screen('connected')).toMatchObject({
      session: { record: { id: pending.id, wallet: 'MetaMask' } },
      others: [],
      request: undefined,
      outcome: undefined,
      isStored: true,
      connection: 'new',
    })
    expect(path()).toEqual(['finding', 'opening', 'comparing', 'waiting', 'asking', 'connected'])
  })

  it('is ended when the numbers differ', async () => {
    const { page, pending, screen } = await handOff()
    page.differ()
    await settle()
    expect(screen('declined').reason).toBe('differ')
    expect(await outcome(pending.approval)).toBe(5000)
  })

  it('is ended when the visitor says at the desk that they differ, after this screen was confirmed', async () => {
    const { page, pending, screen } = await handOff()
    page.confirm()
    await settle()
    expect(screen('waiting')).toBeDefined()
    pending.cancel()
    pending.approval.catch(() => undefined)
    await settle()
    expect(screen('declined').reason).toBe('declined')
  })

  it('says that the site ended it, that it has expired, and that the wallet shared nothing', async () => {
    const ended = await handOff()
    ended.pending.cancel()
    ended.pending.approval.catch(() => undefined)
    await settle()
    expect(ended.screen('declined').reason).toBe('declined')

    const world = openWorld()
    const early = await world.site.handOff({ optionalNamespaces: proposed }, world.gateway)
    world.site.close()
    early.approval.catch(() => undefined)
    const waiting = open({ world, id: early.id })
    await settle(5_000)
    expect(waiting.screen('comparing').digits).toBeUndefined()
    await settle(240_000)
    waiting.screen('expired')

    const declining = await handOff()
    declining.world.wallet.decisions.push('decline')
    declining.page.confirm()
    declining.pending.confirm()
    declining.pending.approval.catch(() => undefined)
    await settle()
    expect(declining.screen('declined').reason).toBe('declined')

    const alone = await handOff()
    alone.pending.approval.catch(() => undefined)
    alone.page.confirm()
    await settle(301_000)
    alone.screen('expired')
  })

  it('goes on after a reload once it was confirmed, although another one was confirmed after it', async () => {
    const world = openWorld()
    const first = await handOff({}, world)
    const second = await handOff({}, world)
    for (const { page } of [first, second]) page.confirm()
    await settle()
    first.leave()
    const again = open({ world, id: first.pending.id })
    await settle(10_000)
    again.screen('waiting')
    for (const { pending } of [first, second]) pending.confirm()
    await settle()
    again.screen('connected')
    second.screen('connected')
  })

  it('goes on after a reload at its number, and after a reload once it was confirmed', async () => {
    const { world, pending, screen, leave } = await handOff()
    const { digits } = screen('comparing')
    leave()
    const second = open({ world, id: pending.id })
    await settle(10_000)
    expect(second.screen('comparing').digits).toBe(digits)
    second.page.confirm()
    second.leave()
    const third = open({ world, id: pending.id })
    await settle(10_000)
    third.screen('waiting')
    pending.confirm()
    await settle()
    third.screen('connected')
  })
})

describe('a link', () => {
  it.each(['taken', 'expired', 'unreached'] as const)('that is %s says so', async (refusal: Refusal) => {
    const claim = vi.fn(async () => {
      throw new ClaimError(refusal)
    })
    const { screen, page } = open({ gateway: { claim } })
    await settle(1_000)
    screen(refusal)
    if (refusal !== 'unreached') return
    page.tryAgain()
    await settle()
    expect(claim).toHaveBeenCalledTimes(2)
  })

  it('that is none is like one that has expired', async () => {
    const { screen } = open({ id: '' })
    await settle(1_000)
    screen('expired')
  })

  it('is not claimed in a browser without a wallet, but in one whose wallet comes late', async () => {
    const world = openWorld()
    const claim = vi.spyOn(world.gateway, 'claim')
    const pending = await world.site.handOff({ optionalNamespaces: proposed }, world.gateway)
    const { screen, announce } = open({ world, id: pending.id, found: [] })
    await settle(10_000)
    screen('noWallet')
    expect(claim).not.toHaveBeenCalled()
    announce(wallets(world.wallet))
    await settle()
    expect(screen('comparing').digits).toBe(await pending.digits)
  })

  it('asks which of several wallets to use', async () => {
    const world = openWorld()
    const pending = await world.site.handOff({ optionalNamespaces: proposed }, world.gateway)
    const other = pageWalletOf(createMobileWallet(), 'Other')
    const { screen, page } = open({ world, id: pending.id, found: [...wallets(world.wallet), other] })
    await settle(1_000)
    expect(screen('choosing').wallets.map(({ name }) => name)).toEqual(['MetaMask', 'Other'])
    page.choose(other)
    await settle()
    page.confirm()
    pending.confirm()
    await settle()
    expect(screen('connected').session.record.wallet).toBe('Other')
    const again = open({ world, id: pending.id, found: [...wallets(world.wallet), other] })
    await settle(1_000)
    expect(again.path()).toEqual(['finding', 'opening', 'connected'])
  })
})

describe('a connected page', () => {
  it('resumes when its link is opened again, and says when the session is over', async () => {
    const { world, pending, session } = await connect()
    const claim = vi.spyOn(world.gateway, 'claim')
    const again = open({ world, id: pending.id })
    await settle(1_000)
    again.screen('connected')
    await world.site.disconnect(session.topic)
    await settle()
    again.screen('ended')
    const late = open({ world, id: pending.id })
    await settle(1_000)
    late.screen('ended')
    expect(claim).not.toHaveBeenCalled()
  })

  it('is disconnected by the visitor', async () => {
    const { page, world, session, screen } = await connect()
    page.disconnect(session.topic)
    await settle()
    screen('ended')
    expect(world.site.sessions()).toEqual([])
  })

  it('shows one request after the other, and how it ended', async () => {
    const { page, world, session, screen } = await connect()
    const ask = (method: string) =>
      outcome(world.site.request({ topic: session.topic, chainId: 'eip155:1', method, params: ['0x61'] }))
    const answers = [ask('personal_sign'), ask('personal_sign')]
    await settle()
    const first = screen('connected')
    expect(first).toMatchObject({ request: { method: 'personal_sign', isGiven: false }, waiting: 1 })
    page.decide(first.request?.key ?? '', true)
    await settle()
    const second = screen('connected')
    expect(second).toMatchObject({ waiting: 0, outcome: 'done' })
    expect(second.request?.key).not.toBe(first.request?.key)
    page.decide(second.request?.key ?? '', false)
    await settle()
    expect(screen('connected')).toMatchObject({ request: undefined, outcome: 'refused' })
    expect(await Promise.all(answers)).toEqual([{ result: '0x5161' }, 4001])
  })

  it('says that the connection is lost after two seconds, and that it is back', async () => {
    const { page, screen } = await connect()
    page.connection(false)
    page.connection(true)
    await settle(3_000)
    expect(screen('connected').connection).toBe('new')
    page.connection(false)
    await settle(3_000)
    expect(screen('connected').connection).toBe('lost')
    page.connection(true)
    expect(screen('connected').connection).toBe('resumed')
  })

  it('says that nothing is stored', async () => {
    const { screen } = await connect({ isLasting: false })
    expect(screen('connected').isStored).toBe(false)
  })
})

it('keeps what it stores while it is open where the browser denies storage', async () => {
  const { createStorage: createPageStorage } = await import('./storage.ts')
  const denied = createPageStorage(() => {
    throw new Error('denied')
  })
  denied.setItem('a', '1')
  expect([denied.isLasting, denied.getItem('a')]).toEqual([false, '1'])
  denied.removeItem('a')
  expect(denied.getItem('a')).toBeNull()
  const { values, ...stored } = createStorage()
  const lasting = createPageStorage(() => stored as unknown as Storage)
  lasting.setItem('a', '1')
  expect([lasting.isLasting, [...values.values()]]).toEqual([true, ['1']])
})
