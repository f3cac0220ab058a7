import { describe, expect, it, vi } from 'vitest'
import { fetchActivity } from '../activity/fetchActivity.ts'
import { openSend, setSendAmount } from '../send/edit.ts'
import { sendReadiness } from '../send/readiness.ts'
import { setReceiver } from '../send/receiver.ts'
import { checkReceiver } from '../send/receiverCheck.ts'
import { ETHER, type FakeGateway } from '../testing/fakeGateway.ts'
import { ALICE, BOB } from '../testing/fakeWallet.ts'
import { createConnectedKit, type Kit } from '../testing/kit.ts'
import { transaction, transfer } from '../testing/transactions.ts'
import type { SentTransaction } from '../types/activity.ts'
import type { Contact } from '../types/contacts.ts'
import { addContact } from './editContacts.ts'
import { newReceiver } from './newReceiver.ts'
import { suggestReceivers } from './suggestions.ts'

const CAROL = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const DAVE = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
/** Its ends are those of Bob's address. */
const LIKE_BOB = '0x7099000000000000000000000000000000dc79c8'
const bob: Contact = { namespace: 'eip155', address: BOB, name: 'Bob' }

const sentTo = (number: number, recipient: string, operationType = 'send') =>
  transaction(number, { operationType, sentFrom: ALICE, sentTo: recipient }, [
    transfer({ direction: 'out', sender: ALICE, recipient }),
  ])
const receivedFrom = (number: number, sender: string) =>
  transaction(number, { sentFrom: sender }, [transfer({ sender, value: 100 })])

/** Opens a form with an amount; its account has a history, and Bob is a contact. */
async function opened(history: FakeGateway['history'], contacts: readonly Contact[] = [bob]): Promise<Kit> {
  const kit = await createConnectedKit()
  kit.gateway.history = history
  for (const contact of contacts) await addContact(kit.hawser, contact)
  await fetchActivity(kit.hawser)
  openSend(kit.hawser, { token: ETHER })
  setSendAmount(kit.hawser, '0.1')
  return kit
}

describe('the check of a receiver', () => {
  const readiness = ({ hawser }: Kit) =>
    sendReadiness(hawser.send.getState(), { check: checkReceiver(hawser) })

  it('stops one that looks like a contact, also without a history', async () => {
    const kit = await opened(() => ({ data: [] }))
    await setReceiver(kit.hawser, LIKE_BOB)
    expect(checkReceiver(kit.hawser)).toEqual({
      kind: 'lookAlike',
      known: { address: BOB, dealing: 'contact', name: 'Bob' },
      isKnownReal: true,
    })
    expect(readiness(kit)).toBe('doubtfulAddress')
  })

  it.each([
    ['never sent to', () => ({ data: [sentTo(1, CAROL)] })],
    ['of a worthless transfer', () => ({ data: [transaction(1, {}, [transfer({ value: 0 })])] })],
    [
      'whose history cannot be read',
      () => {
        throw new Error('offline')
      },
    ],
  ])('says nothing of a contact %s', async (_, history) => {
    const kit = await opened(history)
    await setReceiver(kit.hawser, BOB)
    expect(checkReceiver(kit.hawser)).toBeUndefined()
    await vi.waitFor(() => expect(readiness(kit)).toBe('ready'))
  })

  it('knows the contacts of the last visit', async () => {
    const { storage } = await opened(() => ({ data: [] }))
    const next = await createConnectedKit({ storage })
    openSend(next.hawser, { token: ETHER })
    await setReceiver(next.hawser, LIKE_BOB)
    expect(checkReceiver(next.hawser)).toMatchObject({ known: { name: 'Bob' } })
  })

  it('does not compare with contacts of another namespace', async () => {
    const kit = await opened(() => ({ data: [] }))
    kit.hawser.contacts.setState({ list: [{ ...bob, namespace: 'solana' }] })
    expect(suggestReceivers(kit.hawser, '')).toEqual([])
  })
})

describe('the suggestions', () => {
  const dave: Contact = { namespace: 'eip155', address: DAVE, name: 'Dave' }
  const history = () => ({
    data: [sentTo(4, CAROL), sentTo(3, BOB), receivedFrom(2, LIKE_BOB), sentTo(1, ALICE)],
  })

  it('are contacts, then addresses that were sent to', async () => {
    const kit = await opened(history, [dave, bob])
    expect(suggestReceivers(kit.hawser, '')).toEqual([
      { address: BOB, name: 'Bob' },
      { address: DAVE, name: 'Dave' },
      { address: CAROL },
    ])
  })

  it.each([
    ['a name', 'da', [{ address: DAVE, name: 'Dave' }]],
    ['an address', '0x3c44', [{ address: CAROL }]],
    ['nobody', 'zoe', []],
    ['a whole address', CAROL.toLowerCase(), []],
  ])('match %s', async (_, typed, found) => {
    const kit = await opened(history, [dave, bob])
    expect(suggestReceivers(kit.hawser, typed)).toEqual(found)
  })

  it.each([
    ['who only paid', receivedFrom(1, CAROL)],
    ['of spam', { ...sentTo(1, CAROL), spam: true }],
    [
      'that a token claims',
      transaction(1, { operationType: 'send' }, [
        transfer({ direction: 'out', recipient: CAROL, spam: true }),
      ]),
    ],
    ['of a trade', sentTo(1, CAROL, 'trade')],
    [
      'of a transfer of nothing',
      transaction(1, { operationType: 'send' }, [
        transfer({ direction: 'out', recipient: CAROL, quantity: { numeric: '0' } }),
      ]),
    ],
  ])('never have somebody %s', async (_, row) => {
    const kit = await opened(() => ({ data: [row] }), [])
    expect(suggestReceivers(kit.hawser, '')).toEqual([])
  })

  it('are five at most', async () => {
    const addresses = Array.from({ length: 9 }, (_, index) => `0x${String(index + 1).repeat(40)}`)
    const kit = await opened(() => ({ data: addresses.map((address, index) => sentTo(index, address)) }), [])
    expect(suggestReceivers(kit.hawser, '')).toHaveLength(5)
  })
})

describe('the receiver of a sent transfer', () => {
  const sent = (recipient: string): SentTransaction => ({
    owner: `eip155:31337:${ALICE}`,
    transaction: sentTo(9, recipient),
  })

  it('may become a contact, with the name that was typed', async () => {
    const { hawser } = await opened(() => ({ data: [sentTo(9, CAROL)] }))
    expect(newReceiver(hawser, sent(CAROL))).toEqual({ namespace: 'eip155', address: CAROL, name: '' })
    expect(newReceiver(hawser, { ...sent(CAROL), receiverName: 'carol.eth' })?.name).toBe('carol.eth')
  })

  it.each([
    ['a contact', BOB],
    ['the sender', ALICE],
    ['one that was sent to before', CAROL.toLowerCase()],
  ])('may not if it is %s', async (_, recipient) => {
    const { hawser } = await opened(() => ({ data: [sentTo(9, recipient), sentTo(1, CAROL)] }))
    expect(newReceiver(hawser, sent(recipient))).toBeUndefined()
  })
})
