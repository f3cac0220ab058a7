import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  generateKeyPair,
  type KeyPair,
  randomHex,
  topicOf,
} from '../../packages/walletconnect/src/crypto/keys.ts'
import {
  agree,
  commitmentOf,
  idOf,
  meetingKeyOf,
  type Transcript,
} from '../../packages/walletconnect/src/handoff/agreement.ts'
import type { CreatedHandoff, HandoffSite } from '../../packages/walletconnect/src/handoff/gateway.ts'
import {
  createSiteHandoffs,
  type PendingHandoff,
} from '../../packages/walletconnect/src/handoff/siteHandoff.ts'
import {
  type ClaimedHandoff,
  createWalletHandoffs,
} from '../../packages/walletconnect/src/handoff/walletHandoff.ts'
import type { SignCore } from '../../packages/walletconnect/src/sign/core.ts'
import type { Method } from '../../packages/walletconnect/src/sign/methods.ts'
import type { Pairings } from '../../packages/walletconnect/src/sign/pairings.ts'
import { createStorage } from '../../packages/walletconnect/src/testing/peers.ts'

/** Runs of the property; `make test-full` plays more. With the seed below none has equal digits by chance, of which there is one in a million. */
const RUNS = Number(process.env.HAWSER_INTERLEAVINGS ?? 1_000)
const SEED = 20_261_129

type Side = 'site' | 'wallet'

interface Message {
  readonly to: Side
  readonly method: Method
  readonly params: unknown
}

/** What an attacker can do: with the messages, at the gateway as anybody, and as the gateway. */
const moves = [
  'deliver',
  'deliverLast',
  'duplicate',
  'drop',
  'pass',
  'wake',
  'claimFirst',
  'forgeClaim',
  'forgeOpening',
  'replayOpening',
  'swapWalletKey',
  'swapCommitment',
  'swapOrigin',
  'visit',
] as const
type Move = (typeof moves)[number]

const ORIGIN = 'https://site.test'
/** A site's page, a wallet page and an attacker between them, who is the relay and, by some moves, the gateway. */
async function createWorld(script: readonly Move[]) {
  const network: Message[] = []
  const seen: Message[] = []
  const due = new Set<() => void>()
  const attacker: KeyPair = generateKeyPair()
  const attackerOpening = randomHex(32)
  let created: CreatedHandoff | undefined
  let commitment = ''
  let claimed: string | undefined

  function coreOf(self: Side): SignCore {
    let time = 0
    const clock = {
      now: () => (time += 1_000),
      after(ms: number, task: () => void) {
        if (ms < Number.POSITIVE_INFINITY) due.add(task)
        return () => due.delete(task)
      },
    }
    return {
      closed: new AbortController().signal,
      environment: { clock, storage: createStorage(), log: () => undefined },
      channel: {
        open: () => undefined,
        close: () => undefined,
        async notify(_: string, method: Method, params: unknown) {
          const message: Message = { to: self === 'site' ? 'wallet' : 'site', method, params }
          network.push(message)
          seen.push(message)
        },
      },
    } as unknown as SignCore
  }

  const proposals: string[] = []
  const pairings = {
    pair(_: unknown, symKey: string) {
      proposals.push(symKey)
      return { approval: new Promise(() => undefined), cancel: () => undefined }
    },
  } as unknown as Pairings
  const listened: string[] = []
  const site = createSiteHandoffs(coreOf('site'), pairings)
  const wallet = createWalletHandoffs(coreOf('wallet'), (_, symKey) => void listened.push(symKey))

  const pending: PendingHandoff = await site.start(
    { optionalNamespaces: {} },
    {
      async create(given) {
        commitment = given
        const expiresAt = Number.POSITIVE_INFINITY
        created = { id: idOf(given), secret: 'secret', projectId: '01', origin: ORIGIN, expiresAt }
        return created
      },
      async find() {
        const walletKey = script.includes('swapWalletKey') ? attacker.publicKey : claimed
        return { walletKey, refusedClaims: isLate ? 1 : 0 }
      },
    },
  )

  let visit: ClaimedHandoff | undefined
  let isLate = false
  async function claim(): Promise<void> {
    if (visit || isLate) return
    visit = await wallet
      .claim(pending.id, {
        async claim(_, publicKey): Promise<HandoffSite> {
          claimed ??= publicKey
          if (claimed !== publicKey) throw new Error('late')
          const forged = commitmentOf(attacker.publicKey, attackerOpening)
          return {
            projectId: '01',
            projectName: 'Site',
            origin: script.includes('swapOrigin') ? 'https://other.test' : ORIGIN,
            commitment: script.includes('swapCommitment') ? forged : commitment,
            expiresAt: Number.POSITIVE_INFINITY,
          }
        },
      })
      .catch(() => {
        isLate = true
        return undefined
      })
  }

  function deliver(message: Message | undefined): void {
    if (!message) return
    const topic = topicOf(meetingKeyOf(pending.id))
    const incoming = { ...message, topic, id: 1, relayUrl: '' } as never
    try {
      if (message.to === 'site') site.receive(incoming)
      else wallet.receive(incoming)
    } catch {
      // A malformed message is refused.
    }
  }

  const opening = { publicKey: attacker.publicKey, opening: attackerOpening }
  const does: Record<Move, () => void | Promise<void>> = {
    deliver: () => deliver(network.shift()),
    deliverLast: () => deliver(network.pop()),
    duplicate: () => deliver(network[0]),
    drop: () => void network.shift(),
    pass: () => undefined,
    wake() {
      const tasks = [...due]
      due.clear()
      for (const task of tasks) task()
    },
    claimFirst() {
      claimed ??= attacker.publicKey
    },
    forgeClaim: () => deliver({ to: 'site', method: 'hawser_handoffClaimed', params: {} }),
    forgeOpening: () => deliver({ to: 'wallet', method: 'hawser_handoffOpened', params: opening }),
    replayOpening: () => deliver(seen.find(({ method }) => method === 'hawser_handoffOpened')),
    swapWalletKey: () => undefined,
    swapCommitment: () => undefined,
    swapOrigin: () => undefined,
    visit: claim,
  }

  return {
    attacker,
    pending,
    proposals,
    listened,
    visit: () => visit,
    claim,
    async play(move: Move) {
      await does[move]()
      for (let turn = 0; turn < 12; turn += 1) await Promise.resolve()
    },
    /** What was agreed on, all of which the attacker has seen. */
    transcript(): Transcript | undefined {
      const opened = seen.find(({ method }) => method === 'hawser_handoffOpened')?.params as
        | typeof opening
        | undefined
      if (!opened || !claimed) return undefined
      const { id, projectId } = created ?? expect.fail('nothing was created')
      const { publicKey: siteKey, opening: shown } = opened
      return { id, projectId, origin: ORIGIN, commitment, walletKey: claimed, siteKey, opening: shown }
    },
  }
}

/** Returns the value of a promise that is settled, undefined for one that is not. */
function settledValue<T>(promise: Promise<T> | undefined): Promise<T | undefined> {
  return Promise.race([promise, Promise.resolve(undefined)]).catch(() => undefined)
}

it('gives nobody but the two screens the key, in any order of events and with any attacker between them', async () => {
  const counts = { equal: 0, different: 0, alone: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...moves), { minLength: 3, maxLength: 16 }), async (script) => {
      const world = await createWorld(script)
      for (const move of script) await world.play(move)
      const siteDigits = await settledValue(world.pending.digits)
      const walletDigits = await settledValue(world.visit()?.digits)
      // The link has the commitment, so that the gateway cannot name another one.
      if (script.includes('swapCommitment')) expect(walletDigits).toBeUndefined()
      if (siteDigits === undefined || walletDigits === undefined) {
        counts.alone += 1
        // What a visitor does who sees digits on one screen only: nothing. Confirming the other screen has no effect.
        if (siteDigits === undefined) world.pending.confirm()
        if (walletDigits === undefined) world.visit()?.confirm()
        expect([...world.proposals, ...world.listened]).toEqual([])
        return
      }
      if (siteDigits !== walletDigits) {
        counts.different += 1
        return
      }
      counts.equal += 1
      world.pending.confirm()
      world.visit()?.confirm()
      expect(world.proposals).toHaveLength(1)
      expect(world.listened).toEqual(world.proposals)
      const [symKey] = world.proposals
      const transcript = world.transcript() ?? expect.fail('nothing was opened')
      for (const peer of [transcript.siteKey, transcript.walletKey]) {
        expect(agree(world.attacker.privateKey, peer, transcript).symKey).not.toBe(symKey)
      }
      // Equal digits mean that nobody swapped a key or the origin.
      expect(world.visit()?.site.origin).toBe(ORIGIN)
    }),
    { numRuns: RUNS, seed: SEED },
  )
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(RUNS / 100)
}, 120_000)

it('shows the same digits once messages arrive, whatever was lost before', async () => {
  const harmless = [
    'deliver',
    'deliverLast',
    'duplicate',
    'drop',
    'pass',
    'wake',
    'forgeClaim',
    'forgeOpening',
    'visit',
  ] as const
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...harmless), { maxLength: 12 }), async (script) => {
      const world = await createWorld(script)
      for (const move of [...script, 'visit', ...Array(16).fill(['wake', 'deliver']).flat()] as Move[]) {
        await world.play(move)
      }
      const digits = await settledValue(world.pending.digits)
      expect(digits).toMatch(/^\d{6}$/)
      expect(await settledValue(world.visit()?.digits)).toBe(digits)
    }),
    { numRuns: 500, seed: SEED },
  )
}, 60_000)
