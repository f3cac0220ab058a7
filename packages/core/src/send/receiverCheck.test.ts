import { describe, expect, it, vi } from 'vitest'
import { RECEIVER_HISTORY_MS } from '../limits.ts'
import { Refusal } from '../testing/connectRouter.ts'
import { settle } from '../testing/fakeClock.ts'
import { ETHER, type FakeGateway } from '../testing/fakeGateway.ts'
import { ALICE, BOB, deferred } from '../testing/fakeWallet.ts'
import { createConnectedKit, type Kit } from '../testing/kit.ts'
import { transaction, transfer } from '../testing/transactions.ts'
import { openSend, setSendAmount } from './edit.ts'
import { sendReadiness } from './readiness.ts'
import { setReceiver } from './receiver.ts'
import { checkReceiver, chooseReceiver, openDoubt, readReceiverHistory } from './receiverCheck.ts'
import { SendError, sendToken } from './sendToken.ts'

const CAROL = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
/** Its ends are those of Bob's address. */
const LIKE_BOB = '0x7099000000000000000000000000000000dc79c8'

const sentToBob = transaction(1, { operationType: 'send', sentFrom: ALICE, sentTo: BOB }, [
  transfer({ direction: 'out', sender: ALICE, recipient: BOB }),
])
const poison = transaction(2, { sentFrom: LIKE_BOB }, [
  transfer({ sender: LIKE_BOB, quantity: { numeric: '0.000000000000000000' } }),
])

/** Opens a form with an amount; its account has a history. */
async function opened(history: FakeGateway['history']): Promise<Kit> {
  const kit = await createConnectedKit()
  kit.gateway.history = history
  openSend(kit.hawser, { token: ETHER })
  setSendAmount(kit.hawser, '0.1')
  return kit
}

async function enter({ hawser }: Kit, receiver: string): Promise<void> {
  await setReceiver(hawser, receiver)
  await vi.waitFor(() => expect(hawser.send.getState().history).not.toBe('reading'))
}

const check = ({ hawser }: Kit) => checkReceiver(hawser)
const readiness = ({ hawser }: Kit) => sendReadiness(hawser.send.getState(), { check: checkReceiver(hawser) })
/** Requests for a page of the history so far. */
const reads = ({ gateway }: Kit) =>
  gateway.requests.filter((request) => request.includes('/GetHistory ')).length
const poisoned = () => ({ data: [poison, sentToBob] })

describe('a receiver that looks like one which the account sent to', () => {
  it('has to be chosen', async () => {
    const kit = await opened(poisoned)
    await enter(kit, LIKE_BOB)
    expect(check(kit)).toEqual({
      kind: 'lookAlike',
      known: { address: BOB, dealing: 'sentTo' },
      isKnownReal: true,
    })
    expect(readiness(kit)).toBe('doubtfulAddress')
    chooseReceiver(kit.hawser)
    await vi.waitFor(() => expect(readiness(kit)).toBe('ready'))
  })

  it('is not sent to before that', async () => {
    const kit = await opened(poisoned)
    await enter(kit, LIKE_BOB)
    await expect(sendToken(kit.hawser)).rejects.toThrow(SendError)
    expect(kit.wallet.calls.some(({ method }) => method === 'eth_sendTransaction')).toBe(false)
    chooseReceiver(kit.hawser)
    await sendToken(kit.hawser)
    expect(kit.wallet.calls.find(({ method }) => method === 'eth_sendTransaction')?.params).toMatchObject([
      { to: LIKE_BOB },
    ])
  })

  it('is chosen for the draft, and in the next one has to be chosen again', async () => {
    const kit = await opened(poisoned)
    await enter(kit, LIKE_BOB)
    chooseReceiver(kit.hawser)
    await enter(kit, BOB)
    expect(check(kit)).toBeUndefined()
    await enter(kit, LIKE_BOB)
    expect(openDoubt(kit.hawser.send.getState(), check(kit))).toBeUndefined()
    openSend(kit.hawser, { token: ETHER })
    await enter(kit, LIKE_BOB)
    expect(openDoubt(kit.hawser.send.getState(), check(kit))).toMatchObject({ kind: 'lookAlike' })
  })

  it('may have a name', async () => {
    const kit = await opened(poisoned)
    kit.gateway.names.resolve = () => LIKE_BOB
    const set = setReceiver(kit.hawser, 'bob.hawser.id')
    await kit.clock.advance(500)
    await set
    await vi.waitFor(() => expect(check(kit)).toMatchObject({ known: { address: BOB } }))
  })
})

describe('a receiver', () => {
  it('that the history knows only by a transfer of nothing has to be chosen', async () => {
    const kit = await opened(() => ({ data: [poison] }))
    await enter(kit, LIKE_BOB)
    expect(check(kit)).toEqual({ kind: 'suspect' })
    expect(readiness(kit)).toBe('doubtfulAddress')
  })

  it('that looks like the own address has to be chosen', async () => {
    const kit = await opened(() => ({ data: [] }))
    await enter(kit, '0xf39f000000000000000000000000000000002266')
    expect(check(kit)).toMatchObject({ kind: 'lookAlike', known: { address: ALICE, dealing: 'own' } })
  })

  it.each([
    ['is new', CAROL, { kind: 'first' }],
    ['was sent to', BOB, undefined],
    ['is the own one', ALICE, undefined],
  ])('that %s does not have to be', async (_, receiver, said) => {
    const kit = await opened(poisoned)
    await enter(kit, receiver)
    expect(check(kit)).toEqual(said)
    await vi.waitFor(() => expect(readiness(kit)).toBe('ready'))
  })

  it('of an account without a history is not called the first', async () => {
    const kit = await opened(() => ({ data: [] }))
    await enter(kit, CAROL)
    expect(check(kit)).toBeUndefined()
  })
})

describe('the history of a draft', () => {
  it('is read when there is a receiver, once', async () => {
    const kit = await opened(poisoned)
    await settle()
    expect(reads(kit)).toBe(0)
    for (const text of ['0x', BOB.slice(0, -1), BOB, CAROL, LIKE_BOB]) await enter(kit, text)
    expect(reads(kit)).toBe(1)
    openSend(kit.hawser, { token: ETHER })
    await enter(kit, BOB)
    await vi.waitFor(() => expect(reads(kit)).toBe(2))
  })

  it('is awaited', async () => {
    const answer = deferred<{ data: (typeof poison)[] }>()
    const kit = await opened(() => answer.promise)
    await setReceiver(kit.hawser, LIKE_BOB)
    expect(readiness(kit)).toBe('loading')
    answer.resolve({ data: [sentToBob] })
    await vi.waitFor(() => expect(readiness(kit)).toBe('doubtfulAddress'))
  })

  it('is awaited for three seconds, and counts when it comes later', async () => {
    const answer = deferred<{ data: (typeof poison)[] }>()
    const kit = await opened(() => answer.promise)
    await setReceiver(kit.hawser, LIKE_BOB)
    await kit.clock.advance(RECEIVER_HISTORY_MS)
    expect(check(kit)).toEqual({ kind: 'unread' })
    await vi.waitFor(() => expect(readiness(kit)).toBe('ready'))
    answer.resolve({ data: [sentToBob] })
    await vi.waitFor(() => expect(readiness(kit)).toBe('doubtfulAddress'))
  })

  it('is not awaited when the page has it', async () => {
    const kit = await opened(poisoned)
    await enter(kit, BOB)
    kit.gateway.history = () => new Promise(() => undefined)
    openSend(kit.hawser, { token: ETHER })
    setSendAmount(kit.hawser, '0.1')
    await setReceiver(kit.hawser, LIKE_BOB)
    expect(readiness(kit)).toBe('doubtfulAddress')
  })

  it('that cannot be read keeps nobody from sending, and is not reported as a failure', async () => {
    const kit = await opened(() => {
      throw new Refusal(503, '', 'unavailable')
    })
    await enter(kit, LIKE_BOB)
    expect(check(kit)).toEqual({ kind: 'unread' })
    await vi.waitFor(() => expect(readiness(kit)).toBe('ready'))
    expect(kit.hawser.toast.getState().open).toBe(false)
  })

  it('is not read in a namespace without one', async () => {
    const kit = await opened(poisoned)
    kit.hawser.chain.setState({ activeChain: 'polkadot' })
    await readReceiverHistory(kit.hawser)
    expect(reads(kit)).toBe(0)
    expect(kit.hawser.send.getState().history).toBeUndefined()
  })

  it('is that of the account which sends', async () => {
    const kit = await opened(poisoned)
    await enter(kit, LIKE_BOB)
    kit.hawser.activity.setState({ owner: `eip155:31337:${CAROL}` })
    expect(check(kit)).toEqual({ kind: 'unread' })
  })
})
