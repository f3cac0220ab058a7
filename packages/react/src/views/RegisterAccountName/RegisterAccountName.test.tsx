// @vitest-environment jsdom

import { ALICE, createConnectedKit, deferred, type Kit, Refusal, walletError } from '@hawser/core/testing'
import { act, screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { setLocale } from '../../locale/setLocale.ts'
import { de } from '../../locales/de.ts'
import { findView, type OpenKit, renderPage, showView } from '../../testing/openKit.tsx'

const SIGNATURE = `0x${'1b'.repeat(65)}`

const field = () => screen.getByTestId<HTMLInputElement>('wui-ens-input')
const hint = () => screen.getByTestId('name-hint').textContent
const submit = () => screen.getByTestId<HTMLButtonElement>('name-register-button')
const rows = () => screen.getAllByTestId('account-name-suggestion').map(({ textContent }) => textContent)

/** Opens the form as a visitor does; the wallet signs. */
async function openForm(prepare: (kit: Kit) => void = () => undefined): Promise<OpenKit> {
  const connected = await createConnectedKit()
  connected.wallet.answers.personal_sign = () => SIGNATURE
  prepare(connected)
  const kit = renderPage(connected)
  await showView(kit, 'Account')
  await kit.user.click(screen.getByTestId('account-settings-button'))
  await findView('Profile')
  await kit.user.click(screen.getByTestId('account-choose-name-button'))
  await findView('RegisterAccountName')
  return kit
}

async function type(kit: OpenKit, text: string) {
  await kit.user.clear(field())
  await kit.user.type(field(), text)
  await kit.advance(500)
}

describe('the form of a name', () => {
  it('says what a name may be', async () => {
    const kit = await openForm()
    expect(hint()).toBe('At least 4 letters, numbers or hyphens')
    await type(kit, 'abc')
    expect(hint()).toBe('Name must be at least 4 characters long')
    await type(kit, 'al_ice')
    expect(hint()).toBe('Can only contain letters, numbers and - characters')
    expect(submit().disabled).toBe(true)
  })

  it('says that a name is available, and registers it by the button, its row or Enter', async () => {
    const kit = await openForm()
    await type(kit, 'Alice')
    await waitFor(() => expect(hint()).toBe('This name is available'))
    expect(field().value).toBe('alice')
    expect(rows()).toEqual(['alice.hawser.idAvailable'])
    expect(submit().disabled).toBe(false)
    await kit.user.type(field(), '{Enter}')
    await findView('RegisterAccountNameSuccess')
  })

  it('says that a name is taken, and offers free ones like it', async () => {
    const kit = await openForm((connected) => {
      connected.gateway.names.suggestions = (label) => [
        { name: `${label}.hawser.id`, registered: true, available: false },
        { name: `${label}pay.hawser.id`, registered: false, available: true },
      ]
    })
    await type(kit, 'alice')
    await waitFor(() => expect(rows()).toEqual(['alice.hawser.idRegistered', 'alicepay.hawser.idAvailable']))
    expect(hint()).toBe('This name is taken. These are available:')
    expect(submit().disabled).toBe(true)
    await kit.user.click(screen.getByText('alicepay.hawser.id'))
    await waitFor(() => expect(kit.gateway.names.registrations).toHaveLength(1))
    expect(kit.gateway.names.registrations[0]?.message).toContain(': register alicepay.hawser.id\n')
  })

  it('says that a name is reserved', async () => {
    const kit = await openForm((connected) => {
      connected.gateway.names.suggestions = (label) => [
        { name: `${label}.hawser.id`, registered: false, available: false },
      ]
    })
    await type(kit, 'hawser')
    await waitFor(() => expect(rows()).toEqual(['hawser.hawser.idReserved']))
    expect(hint()).toBe('This name is reserved')
    expect(submit().disabled).toBe(true)
  })

  it('says that the gateway cannot be reached, and retries on demand', async () => {
    const kit = await openForm()
    kit.gateway.status = 503
    await type(kit, 'alice')
    await waitFor(() => expect(hint()).toBe('Error fetching name suggestions'))
    kit.gateway.status = 200
    await kit.user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(hint()).toBe('This name is available'))
  })
})

describe('a name that is chosen', () => {
  it('is shown while the wallet and the gateway are busy, and belongs to the account after that', async () => {
    const signature = deferred<string>()
    const answer = deferred<object>()
    const kit = await openForm((connected) => {
      connected.wallet.answers.personal_sign = () => signature.promise
      connected.gateway.names.register = () => answer.promise
    })
    await type(kit, 'alice')
    await waitFor(() => expect(submit().disabled).toBe(false))
    await kit.user.click(submit())
    await findView('RegisterAccountNameSuccess')
    expect(screen.getByTestId('registered-name').textContent).toBe('alice.hawser.id')
    expect(screen.getByText('Sign in your wallet')).toBeDefined()
    expect(screen.getByTestId<HTMLButtonElement>('name-go-button').disabled).toBe(true)

    await act(async () => signature.resolve(SIGNATURE))
    await screen.findByText('Registering your name')
    await act(async () => answer.resolve({ success: true }))
    await screen.findByText('Account name chosen successfully')
    await kit.user.click(screen.getByTestId('name-go-button'))
    await findView('Account')
    expect(screen.getByTestId('account-settings-address').textContent).toContain('alice.hawser.id')
    expect(screen.getByTestId('account-button').textContent).toContain('alice.hawser.id')
  })

  it('brings the form back with the reason when it is refused', async () => {
    const kit = await openForm((connected) => {
      connected.gateway.names.register = () => {
        throw new Refusal(400, 'NAME_TAKEN', 'Name is already registered: alice.hawser.id')
      }
    })
    await type(kit, 'alice')
    await waitFor(() => expect(submit().disabled).toBe(false))
    await kit.user.click(submit())
    await findView('RegisterAccountName')
    await waitFor(() => expect(hint()).toBe('This name is taken.'))
    expect(field().value).toBe('alice')
    await act(() => setLocale(kit.hawser, de))
    expect(hint()).toBe('Dieser Name ist vergeben.')
    expect(screen.getByTestId('wui-snackbar-message').textContent).toBe('Dieser Name ist vergeben.')
  })

  it('brings the form back as it was when the visitor declines', async () => {
    const kit = await openForm((connected) => {
      connected.wallet.answers.personal_sign = () => {
        throw walletError(4001, 'User rejected the request.')
      }
    })
    await type(kit, 'alice')
    await waitFor(() => expect(submit().disabled).toBe(false))
    await kit.user.click(submit())
    await waitFor(() =>
      expect(screen.getByTestId('wui-snackbar-message').textContent).toBe('Signature declined'),
    )
    await findView('RegisterAccountName')
    expect(field().value).toBe('alice')
    expect(submit().disabled).toBe(false)
  })
})

describe('a wallet that does not answer', () => {
  it('can be stopped, which shows the form as it was', async () => {
    const kit = await openForm((connected) => {
      connected.wallet.answers.personal_sign = () => new Promise<string>(() => undefined)
    })
    await type(kit, 'alice')
    await waitFor(() => expect(submit().disabled).toBe(false))
    await kit.user.click(submit())
    await findView('RegisterAccountNameSuccess')
    await kit.user.click(screen.getByText('Stop waiting'))
    await findView('RegisterAccountName')
    expect(field().value).toBe('alice')
    expect(submit().disabled).toBe(false)
  })
})

describe('an account that has a name', () => {
  it('is shown by it, and is not offered another', async () => {
    const connected = await createConnectedKit()
    connected.hawser.storage.writeCached('identity_cache', ALICE, { name: 'alice.hawser.id', avatar: null })
    connected.wallet.emit('accountsChanged', ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'])
    connected.wallet.emit('accountsChanged', [ALICE])
    const kit = renderPage(connected)
    await screen.findByTitle('alice.hawser.id')
    await showView(kit, 'Account')
    await kit.user.click(screen.getByTestId('account-settings-button'))
    await findView('Profile')
    expect(screen.queryByTestId('account-choose-name-button')).toBeNull()
  })
})
