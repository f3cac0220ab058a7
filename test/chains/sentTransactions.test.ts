import { sendToken } from '@hawser/core'
import { ALICE, BOB, deferred, ETHER, type Kit, previewing } from '@hawser/core/testing'
import { type Devnet, startDevnet } from '@hawser/devnet'
import { createPublicClient, custom, type Hex, numberToHex, parseGwei, type ReplacementReason } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { clientOf } from './directBundler.ts'

const CAROL = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
/** The hash of a transaction that no node has. */
const HIDDEN = `0x${'ab'.repeat(32)}`
/** The page's slowest interval. */
const POLL_MS = 10_000
/** Longer than the page follows a transaction that no node knows before it says so. */
const DOUBT_MS = 310_000

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ chainIds: [31337] })
}, 60_000)
afterAll(() => devnet.stop())

const client = () => clientOf(devnet)
const node = (method: string, params: unknown): Promise<unknown> =>
  client().request({ method, params } as never)
const mine = (blocks = 1) => node('anvil_mine', [numberToHex(blocks)])

beforeEach(async () => {
  await mine()
  await node('evm_setAutomine', [false])
})

interface Request {
  readonly to?: string
  readonly value?: Hex
  readonly data?: Hex
}

/** A transfer of half an Ether that is in no block, and the wallet that sent it. */
interface Sent {
  readonly kit: Kit
  readonly hash: Hex
  /** Sends another transaction with the same nonce, and a higher fee. */
  sendAgain(request?: Request): Promise<Hex>
  /** Runs the page for some time. */
  pass(ms: number): Promise<void>
}

/** @param options.isHidden the wallet sends it past the nodes that the page reads */
async function sending({ isHidden = false } = {}): Promise<Sent> {
  const kit = await previewing(ETHER, '0.5')
  const nonce = await client().getTransactionCount({ address: ALICE })
  let given: Request = {}
  let gwei = 20
  const send = async ({ to, value, data }: Request) => {
    gwei *= 2
    const gasPrice = numberToHex(parseGwei(String(gwei)))
    const fields = { from: ALICE, to, value, data, gasPrice, gas: '0x30000', nonce: numberToHex(nonce) }
    return (await node('eth_sendTransaction', [fields])) as Hex
  }
  kit.wallet.answers.eth_sendTransaction = ([request]) => {
    given = request as Request
    return isHidden ? HIDDEN : send(given)
  }
  const open = new Set<Promise<unknown>>()
  const ask = (method: string, params: unknown) => {
    const answer = node(method, params)
    open.add(answer)
    void answer.catch(() => undefined).finally(() => open.delete(answer))
    return answer
  }
  const methods = new Proxy({}, { get: (_, method: string) => (params: unknown) => ask(method, params) })
  Object.assign(kit.gateway, { node: methods })
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += POLL_MS) {
      await kit.clock.advance(Math.min(POLL_MS, ms - passed))
      do {
        await Promise.allSettled(open)
        await kit.clock.advance(0)
      } while (open.size > 0)
    }
  }
  const hash = (await sendToken(kit.hawser)) as Hex
  await vi.waitFor(() => {
    const [sent] = kit.hawser.activity.getState().sent
    expect(sent?.call?.nonce).toBe(isHidden ? undefined : nonce)
  })
  await pass(POLL_MS)
  return { kit, hash, sendAgain: (request = {}) => send({ ...given, ...request }), pass }
}

const outcome = ({ kit }: Sent) => {
  const { transaction, change } = kit.hawser.send.getState().sent ?? {}
  return { status: transaction?.metadata.status, hash: transaction?.metadata.hash, change }
}

/** Lets the page poll until the transaction has another status than `pending`. */
async function ended(sent: Sent) {
  return vi.waitFor(async () => {
    await sent.pass(1_000)
    const end = outcome(sent)
    expect(end.status).not.toBe('pending')
    return end
  })
}

/** Follows a transaction with viem; returns, once viem has seen it, why viem says that it was replaced. */
async function followedByViem(hash: Hex): Promise<{ reason: Promise<ReplacementReason | undefined> }> {
  const { promise: seen, resolve: see } = deferred<void>()
  const { promise: reason, resolve: replaced } = deferred<ReplacementReason | undefined>()
  const watching = createPublicClient({
    transport: custom({
      async request({ method, params }) {
        const answer = await node(method, params)
        // It searches a block only if it is not busy with the one before.
        if (method === 'eth_getBlockByNumber') see()
        return answer
      },
    }),
  })
  const onReplaced = ({ reason }: { reason: ReplacementReason }) => replaced(reason)
  void watching
    .waitForTransactionReceipt({ hash, pollingInterval: 50, onReplaced })
    .then(() => replaced(undefined))
  await seen
  return { reason }
}

describe('a transaction that the wallet sends again with its nonce', () => {
  it.each([
    ['and a higher fee is sped up', {}, 'confirmed', 'spedUp', 'repriced'],
    ['to cancel it is cancelled', { to: ALICE, value: '0x0' }, 'failed', 'cancelled', 'cancelled'],
    ['for something else is replaced', { to: CAROL }, 'failed', 'replaced', 'replaced'],
    ['with another amount is replaced', { value: '0x1' }, 'failed', 'replaced', 'replaced'],
    ['with call data is replaced', { data: '0x01' }, 'failed', 'replaced', 'replaced'],
  ] as const)('%s, as viem says', async (_title, request, status, change, reason) => {
    const sent = await sending()
    const viems = await followedByViem(sent.hash)
    const hash = await sent.sendAgain(request)
    await mine()
    expect(await ended(sent)).toEqual({ status, hash, change })
    expect(await viems.reason).toBe(reason)
  })

  it('to itself with call data is replaced, as an account with code may do something', async () => {
    const sent = await sending()
    const hash = await sent.sendAgain({ to: ALICE, value: '0x0', data: '0x01' })
    await mine()
    expect(await ended(sent)).toEqual({ status: 'failed', hash, change: 'replaced' })
  })

  it('is found out after the computer slept for many blocks', async () => {
    const sent = await sending()
    const hash = await sent.sendAgain()
    await mine(100)
    sent.kit.clock.sleep(1_000_000)
    expect(await ended(sent)).toEqual({ status: 'confirmed', hash, change: 'spedUp' })
  })

  it('is pending while it waits itself, and ends as what it was when it was mined after all', async () => {
    const sent = await sending()
    await sent.sendAgain()
    await sent.pass(DOUBT_MS)
    expect(outcome(sent)).toEqual({ status: 'pending', hash: sent.hash, change: undefined })
    await mine()
    expect(await ended(sent)).toMatchObject({ status: 'confirmed', change: 'spedUp' })
  })

  it('reports the revert of the one that was included', async () => {
    const sent = await sending()
    await node('anvil_setCode', [BOB, '0x5f5ffd'])
    await sent.sendAgain()
    await mine()
    expect(await ended(sent)).toMatchObject({ status: 'failed', change: 'spedUp' })
    await node('anvil_setCode', [BOB, '0x'])
  })
})

describe('a transaction that no node knows any more', () => {
  it('is shown as dropped after five minutes, and still followed', async () => {
    const sent = await sending()
    const raw = await node('eth_getRawTransactionByHash', [sent.hash])
    await node('anvil_dropTransaction', [sent.hash])
    await sent.pass(200_000)
    expect(outcome(sent).change).toBeUndefined()
    await sent.pass(DOUBT_MS - 200_000)
    await vi.waitFor(() => expect(outcome(sent)).toMatchObject({ status: 'pending', change: 'dropped' }))

    await node('eth_sendRawTransaction', [raw])
    await mine()
    expect(await ended(sent)).toEqual({ status: 'confirmed', hash: sent.hash, change: undefined })
  })

  it('stays pending where no node has ever shown it, also while the same call is included', async () => {
    const sent = await sending({ isHidden: true })
    await sent.pass(DOUBT_MS)
    const pending = { status: 'pending', hash: sent.hash, change: undefined }
    expect(outcome(sent)).toEqual(pending)
    await sent.sendAgain()
    await mine()
    await sent.pass(DOUBT_MS)
    expect(outcome(sent)).toEqual(pending)
  })

  it('stays pending where its sender is a contract, which names transactions by its own ids', async () => {
    const sent = await sending({ isHidden: true })
    await node('anvil_setCode', [ALICE, '0x5f5ffd'])
    await sent.pass(DOUBT_MS)
    expect(outcome(sent)).toEqual({ status: 'pending', hash: sent.hash, change: undefined })
    await node('anvil_setCode', [ALICE, '0x'])
  })
})
