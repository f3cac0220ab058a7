import { describe, expect, it, vi } from 'vitest'
import { selectAccount } from '../chain/selectors.ts'
import { disconnect } from '../connection/disconnect.ts'
import { closeModal, openModal } from '../modal/modal.ts'
import { pushView } from '../router/navigate.ts'
import { Refusal } from '../testing/connectRouter.ts'
import { ALICE, BOB, deferred, walletError } from '../testing/fakeWallet.ts'
import { createConnectedKit, type Kit } from '../testing/kit.ts'
import { saying } from '../testing/owning.ts'
import { coinTypeOf } from './coinType.ts'
import { registerName, stopRegistration } from './registerName.ts'
import { NameError } from './signText.ts'
import { openRegisterName, setNameLabel } from './suggest.ts'

const NAME = 'alice.hawser.id'
const SIGNATURE = `0x${'1b'.repeat(65)}`

/** Opens the form with a name that is available; the wallet signs. */
async function choosing(): Promise<Kit> {
  const kit = await createConnectedKit()
  kit.wallet.answers.personal_sign = () => SIGNATURE
  openModal(kit.hawser, { view: 'Account' })
  pushView(kit.hawser, 'Profile')
  openRegisterName(kit.hawser)
  setNameLabel(kit.hawser, 'alice')
  await kit.clock.advance(500)
  return kit
}

const history = ({ hawser }: Kit) => hawser.router.getState().history
const profileName = ({ hawser }: Kit) => selectAccount(hawser.chain.getState()).profileName

describe('registering a name', () => {
  it('signs for no gateway at another address than its own', async () => {
    const kit = await choosing()
    kit.gateway.names.installation = () => 'https://victim.example'
    expect(await registerName(kit.hawser, NAME)).toBe(false)
    expect(kit.wallet.calls.some(({ method }) => method === 'personal_sign')).toBe(false)
    kit.gateway.names.installation = () => 'http://gateway.test/names'
    expect(await registerName(kit.hawser, NAME)).toBe(true)
  })

  it('works in a browser without URL.canParse', async () => {
    const { canParse } = URL
    Reflect.deleteProperty(URL, 'canParse')
    try {
      const kit = await choosing()
      kit.gateway.names.installation = () => 'http://gateway.test/names'
      expect(await registerName(kit.hawser, NAME)).toBe(true)
    } finally {
      URL.canParse = canParse
    }
  })

  it('has the wallet sign a sentence, and sends that very text', async () => {
    const kit = await choosing()
    expect(await registerName(kit.hawser, NAME)).toBe(true)
    const [signing] = kit.wallet.calls.filter(({ method }) => method === 'personal_sign')
    const [bytes, signer] = (signing?.params ?? []) as string[]
    const message = decodeURIComponent((bytes ?? '').slice(2).replace(/../g, '%$&'))
    expect(message.split('\n')).toEqual(saying(`register ${NAME}`))
    expect(signer).toBe(ALICE)
    expect(kit.gateway.names.registrations).toEqual([
      {
        message,
        signature: SIGNATURE,
        coin_type: 2147514985,
        address: ALICE,
      },
    ])
  })

  it('shows the next view as soon as the wallet prompts, and the name once it is registered', async () => {
    const kit = await choosing()
    const signature = deferred<string>()
    kit.wallet.answers.personal_sign = () => signature.promise
    const registering = registerName(kit.hawser, NAME)
    expect(history(kit)).toEqual(['Account', 'Profile', 'RegisterAccountNameSuccess'])
    expect(kit.hawser.names.getState()).toMatchObject({ status: 'signing', name: NAME })
    expect(profileName(kit)).toBeUndefined()
    signature.resolve(SIGNATURE)
    await registering
    expect(kit.hawser.names.getState().status).toBe('registered')
    expect(profileName(kit)).toBe(NAME)
    expect(kit.eventNames().slice(-2)).toEqual(['REGISTER_NAME_INITIATED', 'REGISTER_NAME_SUCCESS'])
  })

  it('shows a toast if the view was left', async () => {
    const kit = await choosing()
    const registering = registerName(kit.hawser, NAME)
    closeModal(kit.hawser)
    await registering
    expect(kit.hawser.toast.getState().message).toBe('Account name chosen successfully')
  })

  it('happens once at a time, and not for an account that has a name', async () => {
    const kit = await choosing()
    const first = registerName(kit.hawser, NAME)
    await expect(registerName(kit.hawser, NAME)).rejects.toBeInstanceOf(NameError)
    await first
    await expect(registerName(kit.hawser, 'other.hawser.id')).rejects.toBeInstanceOf(NameError)
    expect(kit.gateway.names.registrations).toHaveLength(1)
  })

  it('needs a wallet', async () => {
    const kit = await choosing()
    await disconnect(kit.hawser)
    await expect(registerName(kit.hawser, NAME)).rejects.toThrow('Address or auth connector not found')
  })
})

describe('a registration that fails', () => {
  const refused = (code: string, reason: string) => () => {
    throw new Refusal(400, code, reason)
  }

  it('shows the form with the reason, and requests suggestions again', async () => {
    const kit = await choosing()
    kit.gateway.names.register = refused('NAME_TAKEN', `Name is already registered: ${NAME}`)
    kit.gateway.names.suggestions = () => [{ name: NAME, registered: true, available: false }]
    expect(await registerName(kit.hawser, NAME)).toBe(false)
    expect(history(kit)).toEqual(['Account', 'Profile', 'RegisterAccountName'])
    await vi.waitFor(() =>
      expect(kit.hawser.names.getState()).toMatchObject({
        status: 'draft',
        label: 'alice',
        error: { message: 'This name is taken.', key: 'nameRefusals.taken' },
        suggestions: [{ registered: true }],
      }),
    )
    expect(kit.events.at(-1)).toMatchObject({
      event: 'REGISTER_NAME_ERROR',
      properties: { ensName: NAME, error: `Name is already registered: ${NAME}` },
    })
    expect(kit.hawser.toast.getState()).toMatchObject({ message: 'This name is taken.', variant: 'error' })
  })

  it('shows a general text for a reason without a sentence', async () => {
    const kit = await choosing()
    kit.gateway.names.register = refused('BODY_INVALID', 'The signed message is for another installation')
    await registerName(kit.hawser, NAME)
    expect(kit.hawser.names.getState().error?.message).toBe('Error registering name')
  })

  it('shows a general text without a reason', async () => {
    const kit = await choosing()
    kit.gateway.status = 502
    await registerName(kit.hawser, NAME)
    expect(kit.hawser.names.getState().error?.message).toBe('Error registering name')
  })

  it('hides its toast when it is retried', async () => {
    const kit = await choosing()
    kit.wallet.answers.personal_sign = () => Promise.reject(walletError(4001, 'no'))
    await registerName(kit.hawser, NAME)
    expect(kit.hawser.toast.getState().open).toBe(true)
    kit.wallet.answers.personal_sign = () => deferred<string>().promise
    void registerName(kit.hawser, NAME)
    expect(kit.hawser.toast.getState().open).toBe(false)
  })

  it('keeps the form as it was when the visitor declines', async () => {
    const kit = await choosing()
    kit.wallet.answers.personal_sign = () => {
      throw walletError(4001, 'User rejected the request.')
    }
    await registerName(kit.hawser, NAME)
    expect(history(kit).at(-1)).toBe('RegisterAccountName')
    expect(kit.hawser.names.getState()).toMatchObject({
      status: 'draft',
      label: 'alice',
      error: undefined,
      isDeclined: true,
    })
    expect(kit.hawser.toast.getState()).toMatchObject({ message: 'Signature declined', variant: 'neutral' })
    expect(kit.gateway.names.registrations).toEqual([])
  })

  it('does not open the form again for a visitor who left', async () => {
    const kit = await choosing()
    kit.gateway.names.register = refused('NAME_TAKEN', 'taken')
    const registering = registerName(kit.hawser, NAME)
    pushView(kit.hawser, 'Networks')
    await registering
    expect(history(kit).at(-1)).toBe('Networks')
  })

  it('on a wallet that moved to another network signs nothing', async () => {
    const kit = await choosing()
    kit.wallet.chainId = 1
    expect(await registerName(kit.hawser, NAME)).toBe(false)
    expect(kit.wallet.calls.some(({ method }) => method === 'personal_sign')).toBe(false)
  })
})

describe('a wallet that does not answer', () => {
  it('is not waited for after the visitor cancels, and a later signature registers nothing', async () => {
    const kit = await choosing()
    const signature = deferred<string>()
    kit.wallet.answers.personal_sign = () => signature.promise
    const registering = registerName(kit.hawser, NAME)
    stopRegistration(kit.hawser)
    expect(kit.hawser.names.getState()).toMatchObject({ status: 'draft', label: 'alice' })
    signature.resolve(SIGNATURE)
    expect(await registering).toBe(false)
    expect(kit.gateway.names.registrations).toEqual([])
    expect(profileName(kit)).toBeUndefined()
  })

  it('may be requested again meanwhile', async () => {
    const kit = await choosing()
    kit.wallet.answers.personal_sign = () => new Promise<string>(() => undefined)
    void registerName(kit.hawser, NAME)
    stopRegistration(kit.hawser)
    kit.wallet.answers.personal_sign = () => SIGNATURE
    expect(await registerName(kit.hawser, NAME)).toBe(true)
    expect(profileName(kit)).toBe(NAME)
  })

  it('is not stopped when none is pending', async () => {
    const kit = await choosing()
    await registerName(kit.hawser, NAME)
    stopRegistration(kit.hawser)
    expect(kit.hawser.names.getState().status).toBe('registered')
  })
})

describe('another account', () => {
  it('starts again, and is not given the name of the one before', async () => {
    const kit = await choosing()
    const signature = deferred<string>()
    kit.wallet.answers.personal_sign = () => signature.promise
    const registering = registerName(kit.hawser, NAME)
    kit.wallet.emit('accountsChanged', [BOB])
    expect(history(kit)).toEqual(['Account'])
    expect(kit.hawser.names.getState()).toMatchObject({ status: 'draft', label: '' })
    signature.resolve(SIGNATURE)
    expect(await registering).toBe(false)
    expect(kit.gateway.names.registrations).toEqual([])
    expect(profileName(kit)).toBeUndefined()
    expect(kit.hawser.names.getState().status).toBe('draft')
  })
})

describe('the coin type', () => {
  it.each([
    [1, 60],
    [10, 2147483658],
    [137, 2147483785],
    [31337, 2147514985],
    [2 ** 31 - 1, 4294967295],
  ])('of chain %d is %d', (chainId, coinType) => {
    expect(coinTypeOf(chainId)).toBe(coinType)
  })

  it.each([0, -1, 1.5, 2 ** 31, Number.NaN])('of chain %d does not exist', (chainId) => {
    expect(() => coinTypeOf(chainId)).toThrow('Invalid chainId')
  })
})
