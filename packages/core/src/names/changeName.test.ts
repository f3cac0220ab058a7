import { describe, expect, it, vi } from 'vitest'
import { selectAccount } from '../chain/selectors.ts'
import { closeModal } from '../modal/modal.ts'
import { Refusal } from '../testing/connectRouter.ts'
import { settle } from '../testing/fakeClock.ts'
import { ALICE, BOB, deferred, walletError } from '../testing/fakeWallet.ts'
import type { Kit } from '../testing/kit.ts'
import {
  DEVNET_COIN_TYPE,
  leadingTo,
  NAME,
  owning,
  recordOf,
  SIGNATURE,
  saying,
  signedTexts,
} from '../testing/owning.ts'
import { acceptName, changeName, stopChange } from './changeName.ts'
import { changeReadiness } from './changeReadiness.ts'
import {
  editAddress,
  editRecords,
  editRelease,
  editTransfer,
  setNameTarget,
  setRecord,
  setTypedName,
} from './editName.ts'
import { chosenName, fetchOwnNames, forgetOwnNames, openName } from './ownNames.ts'
import { NameError } from './signText.ts'

const CAROL = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

const state = ({ hawser }: Kit) => hawser.ownNames.getState()
const change = (kit: Kit) => state(kit).change
const view = ({ hawser }: Kit) => hawser.router.getState().view
const toast = ({ hawser }: Kit) => hawser.toast.getState().message

function readiness(kit: Kit) {
  const { change, ...rest } = state(kit)
  const record = chosenName({ change, ...rest })
  return change && record && changeReadiness(change, record, ALICE)
}

/** Types an account and lets half a second pass. */
async function target({ hawser, clock }: Kit, text: string) {
  const set = setNameTarget(hawser, text)
  await clock.advance(500)
  await set
}

describe('each change is one signed text', () => {
  it('of what the name says', async () => {
    const kit = await owning(
      recordOf({ attributes: { bio: 'Sails', url: 'https://a.test', email: 'a@b.test' } }),
    )
    editRecords(kit.hawser)
    setRecord(kit.hawser, 'bio', ' Rows ')
    setRecord(kit.hawser, 'url', '')
    expect(await changeName(kit.hawser)).toBe(true)
    const wish = saying(`set the records of ${NAME}`, 'Record bio: Rows', 'Record email: a@b.test')
    expect(signedTexts(kit)).toEqual([wish])
    expect(kit.gateway.names.changes).toEqual([
      {
        name: NAME,
        action: 'attributes',
        message: signedTexts(kit)[0]?.join('\n'),
        signature: SIGNATURE,
        coin_type: DEVNET_COIN_TYPE,
        address: ALICE,
      },
    ])
    expect(view(kit)).toBe('NameDetail')
    expect(toast(kit)).toBe(`Profile of ${NAME} saved`)
  })

  it('of its address', async () => {
    const kit = await owning()
    editAddress(kit.hawser, 60)
    await target(kit, BOB)
    expect(await changeName(kit.hawser)).toBe(true)
    expect(signedTexts(kit)).toEqual([
      saying(`set an address of ${NAME}`, `Address: ${BOB.toLowerCase()} on eip155:1`),
    ])
    expect(kit.gateway.names.changes[0]).toMatchObject({ action: 'address', coin_type: DEVNET_COIN_TYPE })
  })

  it('of whose it is, by name too', async () => {
    const kit = await owning()
    kit.gateway.names.resolve = (name) => (name === 'bob.eth' ? BOB : undefined)
    editTransfer(kit.hawser)
    await target(kit, 'bob.eth')
    expect(await changeName(kit.hawser)).toBe(true)
    const wish = saying(`transfer ${NAME}`, `New owner: ${BOB.toLowerCase()} on eip155:31337`)
    expect(signedTexts(kit)).toEqual([wish])
    expect(kit.gateway.names.changes[0]?.action).toBe('transfer')
    expect(view(kit)).toBe('Names')
  })

  it('that it is given up', async () => {
    const kit = await owning()
    editRelease(kit.hawser)
    setTypedName(kit.hawser, ' Alice.Hawser.id')
    expect(await changeName(kit.hawser)).toBe(true)
    expect(signedTexts(kit)).toEqual([saying(`release ${NAME}`)])
    expect(kit.gateway.names.changes[0]?.action).toBe('release')
    expect(view(kit)).toBe('Names')
  })

  it('that it is accepted, on the chain where it was given', async () => {
    const kit = await owning(recordOf({ given: true, addresses: leadingTo({ '60': ALICE }) }))
    expect(await acceptName(kit.hawser)).toBe(true)
    expect(signedTexts(kit)).toEqual([
      saying(`set an address of ${NAME}`, `Address: ${ALICE.toLowerCase()} on eip155:1`),
    ])
    expect(kit.gateway.names.changes[0]).toMatchObject({ action: 'address', coin_type: 60 })
    expect(view(kit)).toBe('NameDetail')
    expect(toast(kit)).toBe(`${NAME} is yours`)
  })
})

describe('a change', () => {
  it('shows its progress, and the new state afterwards', async () => {
    const kit = await owning()
    const signature = deferred<string>()
    const saved = deferred<object>()
    kit.wallet.answers.personal_sign = () => signature.promise
    kit.gateway.names.change = () => saved.promise
    editRecords(kit.hawser)
    setRecord(kit.hawser, 'bio', 'Rows')
    const changing = changeName(kit.hawser)
    await settle()
    expect(change(kit)?.status).toBe('signing')
    signature.resolve(SIGNATURE)
    await vi.waitFor(() => expect(change(kit)?.status).toBe('saving'))
    kit.gateway.names.owned = () => [recordOf({ attributes: { bio: 'Rows' } })]
    kit.gateway.names.identity = () => ({ name: NAME })
    saved.resolve({})
    expect(await changing).toBe(true)
    expect(change(kit)).toBeUndefined()
    expect(chosenName(state(kit))?.attributes).toEqual({ bio: 'Rows' })
    expect(selectAccount(kit.hawser.chain.getState()).profileName).toBe(NAME)
  })

  it('cannot be touched, nor another begun, while it is on its way', async () => {
    const kit = await owning()
    kit.wallet.answers.personal_sign = () => deferred().promise
    editRecords(kit.hawser)
    setRecord(kit.hawser, 'bio', 'Rows')
    void changeName(kit.hawser)
    await settle()
    setRecord(kit.hawser, 'bio', 'Swims')
    editRelease(kit.hawser)
    expect(view(kit)).toBe('NameRecords')
    expect(toast(kit)).toBe('Another change waits in your wallet')
    expect(change(kit)).toMatchObject({ status: 'signing', draft: { attributes: { bio: 'Rows' } } })
    await expect(changeName(kit.hawser)).rejects.toBeInstanceOf(NameError)
    await expect(acceptName(kit.hawser)).rejects.toBeInstanceOf(NameError)
  })

  it('is shown again when the form is opened again', async () => {
    const kit = await owning()
    kit.wallet.answers.personal_sign = () => deferred().promise
    editRecords(kit.hawser)
    setRecord(kit.hawser, 'bio', 'Rows')
    void changeName(kit.hawser)
    await settle()
    openName(kit.hawser, NAME)
    editRecords(kit.hawser)
    expect(view(kit)).toBe('NameRecords')
    expect(change(kit)?.status).toBe('signing')
  })

  it('keeps records that another page changed meanwhile', async () => {
    const kit = await owning(recordOf({ attributes: { bio: 'Sails' } }))
    editRecords(kit.hawser)
    setRecord(kit.hawser, 'bio', 'Rows')
    kit.gateway.names.owned = () => [recordOf({ attributes: { bio: 'Sails', url: 'https://a.test' } })]
    forgetOwnNames(kit.hawser)
    await fetchOwnNames(kit.hawser)
    expect(await changeName(kit.hawser)).toBe(true)
    expect(signedTexts(kit)[0]).toEqual(
      expect.arrayContaining(['Record bio: Rows', 'Record url: https://a.test']),
    )
  })

  it('reads the current records despite the cache', async () => {
    const kit = await owning(recordOf({ attributes: { bio: 'Sails' } }))
    kit.gateway.names.owned = () => [recordOf({ attributes: { bio: 'Sails', url: 'https://a.test' } })]
    editRecords(kit.hawser)
    await settle()
    expect(chosenName(kit.hawser.ownNames.getState())?.attributes.url).toBe('https://a.test')
  })

  it('is not made by a signature that came after the visitor gave up waiting', async () => {
    const kit = await owning()
    const signature = deferred<string>()
    kit.wallet.answers.personal_sign = () => signature.promise
    editRecords(kit.hawser)
    setRecord(kit.hawser, 'bio', 'Rows')
    const changing = changeName(kit.hawser)
    await settle()
    stopChange(kit.hawser)
    expect(change(kit)).toMatchObject({ status: 'draft', draft: { attributes: { bio: 'Rows' } } })
    signature.resolve(SIGNATURE)
    expect(await changing).toBe(false)
    expect(kit.gateway.names.changes).toEqual([])
  })

  it('is completed for a visitor who left the view, and reported', async () => {
    const kit = await owning()
    editRecords(kit.hawser)
    setRecord(kit.hawser, 'bio', 'Rows')
    const changing = changeName(kit.hawser)
    closeModal(kit.hawser)
    expect(await changing).toBe(true)
    expect(toast(kit)).toBe(`Profile of ${NAME} saved`)
  })

  it('is forgotten with the account it was of', async () => {
    const kit = await owning()
    const signature = deferred<string>()
    kit.wallet.answers.personal_sign = () => signature.promise
    editRecords(kit.hawser)
    setRecord(kit.hawser, 'bio', 'Rows')
    const changing = changeName(kit.hawser)
    await settle()
    kit.wallet.emit('accountsChanged', [BOB])
    signature.resolve(SIGNATURE)
    await changing
    expect(change(kit)).toBeUndefined()
    expect(kit.gateway.names.changes).toEqual([])
    expect(view(kit)).toBe('Account')
  })
})

describe('a change that is refused', () => {
  async function refused(prepare: (kit: Kit) => void): Promise<Kit> {
    const kit = await owning()
    prepare(kit)
    editRecords(kit.hawser)
    setRecord(kit.hawser, 'bio', 'Rows')
    expect(await changeName(kit.hawser)).toBe(false)
    expect(change(kit)).toMatchObject({ status: 'draft', draft: { attributes: { bio: 'Rows' } } })
    expect(view(kit)).toBe('NameRecords')
    return kit
  }

  it('by the visitor keeps the draft', async () => {
    const kit = await refused(({ wallet }) => {
      wallet.answers.personal_sign = () => {
        throw walletError(4001, 'User rejected the request.')
      }
    })
    expect(change(kit)?.failure).toEqual({
      by: 'person',
      message: 'Signature declined',
      key: 'toasts.signatureDeclined',
    })
    expect(kit.gateway.names.changes).toEqual([])
  })

  it('by the gateway says why, until something else is written', async () => {
    const kit = await refused(({ gateway }) => {
      gateway.names.change = () => {
        throw new Refusal(401, 'OWNER_MISMATCH', 'Name owner validation error')
      }
    })
    expect(change(kit)?.failure).toEqual({
      by: 'gateway',
      message: 'This account doesn’t own the name.',
      key: 'nameRefusals.notOwner',
    })
    setRecord(kit.hawser, 'bio', 'Swims')
    expect(change(kit)?.failure).toBeUndefined()
  })

  it.each(['BODY_INVALID', 'toString'])(
    'by the gateway for another reason says that it failed: %s',
    async (code) => {
      const kit = await refused(({ gateway }) => {
        gateway.names.change = () => {
          throw new Refusal(400, code, 'The signed message is for another installation')
        }
      })
      expect(change(kit)?.failure).toEqual({
        by: 'gateway',
        message: 'Error changing name',
        key: 'thrown.nameChangeFailed',
      })
    },
  )

  it('by silence says so', async () => {
    const kit = await refused(({ gateway }) => {
      gateway.names.change = () => {
        throw new Refusal(500, '', '')
      }
    })
    expect(change(kit)?.failure?.message).toBe('Error changing name')
  })

  it('is kept as it was left, for this name', async () => {
    const kit = await owning(recordOf(), recordOf({ name: 'other.hawser.id', attributes: {} }))
    editRecords(kit.hawser)
    setRecord(kit.hawser, 'bio', 'Rows')
    openName(kit.hawser, NAME)
    editRecords(kit.hawser)
    expect(change(kit)?.draft).toMatchObject({ attributes: { bio: 'Rows' } })
    openName(kit.hawser, 'other.hawser.id')
    editRecords(kit.hawser)
    expect(change(kit)?.draft).toMatchObject({ attributes: {} })
  })
})

describe('what keeps a change from being signed', () => {
  it('is said of records', async () => {
    const kit = await owning()
    editRecords(kit.hawser)
    expect(readiness(kit)).toBe('unchanged')
    setRecord(kit.hawser, 'url', 'nonsense')
    expect(readiness(kit)).toBe('invalidRecord')
    setRecord(kit.hawser, 'url', '')
    expect(readiness(kit)).toBe('unchanged')
    await expect(changeName(kit.hawser)).rejects.toBeInstanceOf(NameError)
  })

  it('is said of addresses', async () => {
    const kit = await owning()
    editAddress(kit.hawser, DEVNET_COIN_TYPE)
    expect(readiness(kit)).toBe('addAddress')
    await target(kit, '0x1234')
    expect(readiness(kit)).toBe('invalidAddress')
    await target(kit, ALICE.toLowerCase())
    expect(readiness(kit)).toBe('unchanged')
    await target(kit, BOB)
    expect(readiness(kit)).toBe('ready')
  })

  it('is said of a transfer', async () => {
    const kit = await owning()
    editTransfer(kit.hawser)
    await target(kit, ALICE)
    expect(readiness(kit)).toBe('ownAddress')
    void setNameTarget(kit.hawser, 'bob.eth')
    expect(readiness(kit)).toBe('checking')
    await kit.clock.advance(500)
    await vi.waitFor(() => expect(readiness(kit)).toBe('invalidAddress'))
  })

  it('is said of a name that is to be given up', async () => {
    const kit = await owning()
    editRelease(kit.hawser)
    setTypedName(kit.hawser, 'alice')
    expect(readiness(kit)).toBe('typeName')
    setTypedName(kit.hawser, NAME)
    expect(readiness(kit)).toBe('ready')
  })
})

it('a name is not transferred when its target resolves to another account on confirmation', async () => {
  const kit = await owning()
  kit.gateway.names.resolve = () => BOB
  editTransfer(kit.hawser)
  await target(kit, 'bob.eth')
  kit.gateway.names.resolve = () => CAROL
  expect(await changeName(kit.hawser)).toBe(false)
  expect(signedTexts(kit)).toEqual([])
  expect(change(kit)).toMatchObject({
    status: 'draft',
    draft: { target: { text: 'bob.eth', address: CAROL, status: 'valid' } },
    failure: { message: 'bob.eth now points to a different address. Nothing was signed.' },
  })
  expect(await changeName(kit.hawser)).toBe(true)
  expect(signedTexts(kit)[0]).toContain(`New owner: ${CAROL.toLowerCase()} on eip155:31337`)
})
