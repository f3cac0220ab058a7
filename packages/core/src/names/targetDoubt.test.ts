import { describe, expect, it, vi } from 'vitest'
import { addContact } from '../contacts/editContacts.ts'
import { RECEIVER_HISTORY_MS } from '../limits.ts'
import { settle } from '../testing/fakeClock.ts'
import { ALICE, BOB, deferred } from '../testing/fakeWallet.ts'
import type { Kit } from '../testing/kit.ts'
import { owning, signedTexts } from '../testing/owning.ts'
import { transaction, transfer } from '../testing/transactions.ts'
import { changeName } from './changeName.ts'
import { changeReadiness } from './changeReadiness.ts'
import { chooseNameTarget, editTransfer, setNameTarget } from './editName.ts'
import { chosenName } from './ownNames.ts'
import { NameError } from './signText.ts'
import { targetDoubt } from './targetDoubt.ts'

/** Its ends are those of Bob's address. */
const LIKE_BOB = '0x7099000000000000000000000000000000dc79c8'
const sentToBob = transaction(1, { operationType: 'send', sentFrom: ALICE, sentTo: BOB }, [
  transfer({ direction: 'out', sender: ALICE, recipient: BOB }),
])

/** Opens the form that transfers a name; the account sent something to Bob before. */
async function transferring(): Promise<Kit> {
  const kit = await owning()
  kit.gateway.history = () => ({ data: [sentToBob] })
  editTransfer(kit.hawser)
  return kit
}

const draftOf = ({ hawser }: Kit) => {
  const { change } = hawser.ownNames.getState()
  if (!change) throw new Error('No name is being changed')
  return change
}
const doubt = (kit: Kit) => targetDoubt(kit.hawser, draftOf(kit).draft)
const readiness = (kit: Kit) => {
  const record = chosenName(kit.hawser.ownNames.getState())
  return record && changeReadiness(draftOf(kit), record, ALICE, doubt(kit))
}

describe('the receiver of a name', () => {
  it('that looks like one which the account sent to has to be chosen', async () => {
    const kit = await transferring()
    await setNameTarget(kit.hawser, LIKE_BOB)
    expect(doubt(kit)).toMatchObject({ kind: 'lookAlike', known: { address: BOB, dealing: 'sentTo' } })
    expect(readiness(kit)).toBe('doubtfulAddress')
    await expect(changeName(kit.hawser)).rejects.toThrow(NameError)
    expect(signedTexts(kit)).toEqual([])
    chooseNameTarget(kit.hawser)
    expect(readiness(kit)).toBe('ready')
  })

  it('is chosen until another one is typed', async () => {
    const kit = await transferring()
    await setNameTarget(kit.hawser, LIKE_BOB)
    chooseNameTarget(kit.hawser)
    await setNameTarget(kit.hawser, BOB)
    expect(readiness(kit)).toBe('ready')
    await setNameTarget(kit.hawser, LIKE_BOB)
    expect(readiness(kit)).toBe('doubtfulAddress')
  })

  it('may be a name that resolves to it', async () => {
    const kit = await transferring()
    kit.gateway.names.resolve = () => LIKE_BOB
    const set = setNameTarget(kit.hawser, 'bob.hawser.id')
    await kit.clock.advance(500)
    await set
    expect(readiness(kit)).toBe('doubtfulAddress')
  })

  it('is compared with contacts', async () => {
    const kit = await transferring()
    kit.gateway.history = () => ({ data: [] })
    await addContact(kit.hawser, { namespace: 'eip155', address: BOB, name: 'Bob' })
    await setNameTarget(kit.hawser, LIKE_BOB)
    expect(doubt(kit)).toMatchObject({ known: { name: 'Bob' } })
    await setNameTarget(kit.hawser, BOB)
    expect(readiness(kit)).toBe('ready')
  })

  it('waits for the history, but not longer than three seconds', async () => {
    const kit = await transferring()
    const late = deferred<{ data: [] }>()
    kit.gateway.history = () => late.promise as never
    const set = setNameTarget(kit.hawser, LIKE_BOB)
    await settle()
    expect(readiness(kit)).toBe('checking')
    await kit.clock.advance(RECEIVER_HISTORY_MS)
    await set
    expect(readiness(kit)).toBe('ready')
    late.resolve({ data: [] })
    await vi.waitFor(() => expect(kit.hawser.activity.getState().isLoaded).toBe(true))
  })
})
