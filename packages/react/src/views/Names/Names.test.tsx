// @vitest-environment jsdom

import {
  ALICE,
  BOB,
  createConnectedKit,
  DEVNET_COIN_TYPE,
  deferred,
  fetchIdentity,
  type Kit,
  leadingTo,
  NAME,
  Refusal,
  recordOf,
  SIGNATURE,
  signedTexts,
  walletError,
} from '@hawser/core/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { setLocale } from '../../locale/setLocale.ts'
import { de } from '../../locales/de.ts'
import { findView, type OpenKit, renderPage, showView } from '../../testing/openKit.tsx'

let kit: OpenKit

/** Opens the account's names as a visitor does; the wallet signs. */
async function openNames(prepare: (kit: Kit) => void = () => undefined): Promise<void> {
  const connected = await createConnectedKit()
  connected.wallet.answers.personal_sign = () => SIGNATURE
  prepare(connected)
  kit = renderPage(connected)
  await showView(kit, 'Account')
  await kit.user.click(screen.getByTestId('account-settings-button'))
  await findView('Profile')
  await kit.user.click(screen.getByTestId('account-names-button'))
  await findView('Names')
}

const owns =
  (...records: ReturnType<typeof recordOf>[]) =>
  ({ gateway }: Kit) => {
    gateway.names.owned = () => records
  }

/** Opens one of the names. */
async function openName(prepare: (kit: Kit) => void = owns(recordOf())): Promise<void> {
  await openNames(prepare)
  await kit.user.click(await screen.findByText(NAME))
  await findView('NameDetail')
}

const press = (testId: string) => kit.user.click(screen.getByTestId(testId))
async function enter(account: string) {
  await kit.user.click(screen.getByTestId('name-target-input'))
  await kit.user.paste(account)
}
const button = () => screen.getByTestId<HTMLButtonElement>('name-change-button')
const failure = () => screen.findByTestId('name-change-failure').then(({ textContent }) => textContent)
const input = (key: string) => screen.getByTestId<HTMLInputElement>(`name-record-input-${key}`)

describe('the names of an account', () => {
  it('that has none offers to register one', async () => {
    await openNames()
    await screen.findByText('No name yet')
    await press('names-register')
    await findView('RegisterAccountName')
  })

  it('are listed, with the one it is shown by, and those that it was given', async () => {
    await openNames(({ gateway }) => {
      const gift = recordOf({ name: 'gift.hawser.id', attributes: {}, given: true })
      gateway.names.owned = () => [recordOf(), recordOf({ name: 'other.hawser.id', attributes: {} }), gift]
      gateway.names.identity = () => ({ name: 'other.hawser.id' })
    })
    const list = within(await screen.findByRole('list', { name: 'Names' }))
    await act(() => fetchIdentity(kit.hawser, { bypassCache: true }))
    expect(list.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      `${NAME}Sails`,
      'other.hawser.id0xf39Fd6…b92266Primary name',
    ])
    const gifts = within(screen.getByRole('list', { name: 'Transferred to you' }))
    expect(gifts.getByRole('button').textContent).toContain('gift.hawser.id')
  })

  it('that were transferred to it are announced in the profile', async () => {
    const connected = await createConnectedKit()
    owns(recordOf(), recordOf({ name: 'gift.hawser.id', given: true }))(connected)
    kit = renderPage(connected)
    await showView(kit, 'Profile')
    await waitFor(() => expect(screen.getByTestId('account-names-button').textContent).toContain('1 new'))
  })

  it('that could not be loaded are requested again', async () => {
    await openNames(({ gateway }) => {
      gateway.names.owned = () => {
        throw new Refusal(503, '', '')
      }
    })
    await screen.findByText('Names unavailable')
    owns(recordOf())(kit)
    await kit.user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText(NAME)
  })

  it('are left when they are another’s', async () => {
    await openName()
    owns()(kit)
    act(() => kit.hawser.push.setState({ identityChanges: 1 }))
    await findView('Names')
    await screen.findByText('No name yet')
  })
})

describe('a name', () => {
  it('shows its address on each network, and networks without one', async () => {
    await openName(owns(recordOf({ addresses: leadingTo({ '60': BOB, [DEVNET_COIN_TYPE]: ALICE }) })))
    expect(screen.getByTestId('name-place-60').textContent).toContain('Ethereum0x709979…dc79C8')
    expect(screen.getByTestId(`name-place-${DEVNET_COIN_TYPE}`).textContent).toContain(
      'Devnet0xf39Fd6…b92266You',
    )
    expect(screen.queryByText('Devnet Two')).toBeNull()
    await press('name-other-networks')
    expect(screen.getByTestId(`name-place-${DEVNET_COIN_TYPE + 1}`).textContent).toContain('Not set')
  })

  it('copies itself and its addresses whole', async () => {
    await openName()
    await press('name-title')
    expect(await navigator.clipboard.readText()).toBe(NAME)
    await kit.user.click(screen.getByRole('button', { name: 'Copy the address on Devnet' }))
    expect(await navigator.clipboard.readText()).toBe(ALICE)
  })

  it('shows its records; links open outside the page, and only safe ones', async () => {
    await openName(
      owns(
        recordOf({
          attributes: {
            bio: 'Sails on Sundays',
            url: 'https://example.org/alice',
            'com.github': '@alice',
            avatar: 'ipfs://bafy/face.png',
            header: 'javascript:alert(1)',
            'x.custom': 'as it is',
          },
        }),
      ),
    )
    expect(screen.getByText('Sails on Sundays')).toBeDefined()
    const links = [...screen.getByRole('dialog').querySelectorAll('a')]
    expect(links.map(({ href, target, rel }) => [href, target, rel])).toEqual([
      ['https://example.org/alice', '_blank', 'noopener noreferrer'],
      ['https://github.com/alice', '_blank', 'noopener noreferrer'],
    ])
    expect(screen.getByTestId('name-record-x.custom').textContent).toContain('x.customas it is')
  })

  it('says so when it says nothing, and only then', async () => {
    await openName()
    expect(screen.queryByText('No profile yet')).toBeNull()
    owns(recordOf({ attributes: {} }))(kit)
    act(() => kit.hawser.push.setState({ identityChanges: 1 }))
    await screen.findByText('No profile yet')
  })

  it('that was given is accepted by a signature', async () => {
    await openName(owns(recordOf({ given: true, attributes: {}, addresses: leadingTo({ '60': ALICE }) })))
    expect(screen.queryByTestId('name-edit-records')).toBeNull()
    kit.wallet.answers.personal_sign = () => {
      throw walletError(4001, 'User rejected the request.')
    }
    await press('name-accept')
    expect(await failure()).toBe('You declined. Nothing was changed.')
    kit.wallet.answers.personal_sign = () => SIGNATURE
    kit.gateway.names.change = () => {
      owns(recordOf({ attributes: {} }))(kit)
      return {}
    }
    await press('name-accept')
    await screen.findByTestId('name-edit-records')
    expect(screen.queryByTestId('name-accept')).toBeNull()
  })
})

describe('the records', () => {
  async function openRecords(prepare?: (kit: Kit) => void) {
    await openName(prepare)
    await press('name-edit-records')
    await findView('NameRecords')
  }

  it('start with the current texts; lengths are shown while typing', async () => {
    await openRecords()
    expect(input('bio').value).toBe('Sails')
    expect(screen.getByRole('textbox', { name: 'Bio', description: '5 of 255' })).toBe(input('bio'))
    await kit.user.type(input('location'), '⛵')
    expect(screen.getByRole('textbox', { name: 'Location', description: '1 of 64' })).toBe(input('location'))
    expect(button().disabled).toBe(false)
    await kit.user.clear(input('location'))
    expect(button().disabled).toBe(true)
  })

  it('that cannot be are said to be wrong, and not signed', async () => {
    await openRecords()
    await kit.user.type(input('url'), 'example.org')
    expect(input('url').getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByText('Enter a link that starts with https://, http:// or ipfs://')).toBeDefined()
    expect(button().disabled).toBe(true)
    await kit.user.type(input('url'), '{Enter}')
    expect(signedTexts(kit)).toEqual([])
  })

  it('are signed, saved and shown; a pending change cannot be edited', async () => {
    const signature = deferred<string>()
    const saved = deferred<object>()
    await openRecords()
    kit.wallet.answers.personal_sign = () => signature.promise
    kit.gateway.names.change = () => saved.promise
    await kit.user.clear(input('bio'))
    await kit.user.type(input('bio'), 'Rows{Enter}')
    await waitFor(() => expect(button().textContent).toBe('Sign in your wallet'))
    expect(input('bio').readOnly).toBe(true)
    await press('name-change-stop')
    expect(input('bio').readOnly).toBe(false)
    await kit.user.click(button())
    await waitFor(() => expect(button().textContent).toBe('Sign in your wallet'))
    await act(async () => signature.resolve(SIGNATURE))
    await waitFor(() => expect(button().textContent).toBe('Saving'))
    owns(recordOf({ attributes: { bio: 'Rows' } }))(kit)
    await act(async () => saved.resolve({}))
    await findView('NameDetail')
    expect(screen.getByText('Rows')).toBeDefined()
    expect(screen.getByTestId('wui-snackbar-message').textContent).toBe(`Profile of ${NAME} saved`)
    expect(signedTexts(kit).at(-1)).toContain('Record bio: Rows')
  })

  it('are kept when they are refused, with the reason', async () => {
    await openRecords()
    kit.gateway.names.change = () => {
      throw new Refusal(429, 'CHANGES_LIMITED', 'This account changed too many names within the hour')
    }
    await kit.user.type(input('com.github'), 'alice')
    await kit.user.click(button())
    expect(await failure()).toBe('This account changed too many names. Try again in an hour.')
    expect(input('com.github').value).toBe('alice')
    await act(() => setLocale(kit.hawser, de))
    expect(await failure()).toBe(
      'Dieses Konto hat zu viele Namen geändert. Versuchen Sie es in einer Stunde erneut.',
    )
    await act(() => setLocale(kit.hawser, 'en'))
    kit.wallet.answers.personal_sign = () => {
      throw walletError(4001, 'User rejected the request.')
    }
    await kit.user.click(button())
    await waitFor(async () => expect(await failure()).toBe('You declined. Nothing was changed.'))
    await press('header-back')
    await findView('NameDetail')
    await press('name-edit-records')
    await findView('NameRecords')
    expect(input('com.github').value).toBe('alice')
  })

  it('say in the visitor’s language why the wallet did not sign them', async () => {
    await openRecords()
    kit.wallet.answers.personal_sign = () => {
      throw walletError(-32603, 'Internal error')
    }
    await kit.user.type(input('com.github'), 'alice')
    await kit.user.click(button())
    expect(await failure()).toBe('Your wallet reported a problem. Open it, then try again.')
    await act(() => setLocale(kit.hawser, de))
    expect(await failure()).toBe(
      'Ihre Wallet hat ein Problem gemeldet. Öffnen Sie sie und versuchen Sie es erneut.',
    )
  })
})

describe('an address', () => {
  it('is set for another network, by name too; the whole address is shown before it is signed', async () => {
    await openName()
    kit.gateway.names.resolve = (name) => (name === 'bob.eth' ? BOB : undefined)
    await press('name-other-networks')
    await press(`name-edit-address-${DEVNET_COIN_TYPE + 1}`)
    await findView('NameAddress')
    expect(button().disabled).toBe(true)
    await enter('bob.eth')
    await kit.advance(500)
    await waitFor(() => expect(screen.getByTestId('name-target-outcome').textContent).toBe(BOB))
    await waitFor(() => expect(button().disabled).toBe(false))
    await kit.user.click(button())
    await findView('NameDetail')
    expect(signedTexts(kit)[0]).toContain(`Address: ${BOB.toLowerCase()} on eip155:31338`)
  })

  it('may be the visitor’s own, by one press', async () => {
    await openName(owns(recordOf({ addresses: leadingTo({ '60': BOB }) })))
    await press('name-edit-address-60')
    await findView('NameAddress')
    await press('name-own-address')
    await waitFor(() => expect(button().disabled).toBe(false))
    await kit.user.click(button())
    await findView('NameDetail')
    expect(signedTexts(kit)[0]).toContain(`Address: ${ALICE.toLowerCase()} on eip155:1`)
  })

  it('that is set already is not set again', async () => {
    await openName()
    await press('name-edit-address-60')
    await findView('NameAddress')
    await enter(ALICE)
    await screen.findByText('This is already the address')
    expect(button().disabled).toBe(true)
  })
})

describe('a name that is transferred', () => {
  it('shows the consequences, and the receiver', async () => {
    await openName()
    await press('name-transfer')
    await findView('NameTransfer')
    expect(screen.getByText(`You’re giving ${NAME} away.`)).toBeDefined()
    await enter(ALICE)
    await screen.findByText('This is your own account')
    await kit.user.clear(screen.getByTestId('name-target-input'))
    await enter(BOB)
    await waitFor(() => expect(button().disabled).toBe(false))
    kit.gateway.names.change = () => {
      owns()(kit)
      return {}
    }
    await kit.user.click(button())
    await findView('Names')
    await screen.findByText('No name yet')
    expect(signedTexts(kit)[0]).toContain(`New owner: ${BOB.toLowerCase()} on eip155:31337`)
    expect(screen.getByTestId('wui-snackbar-message').textContent).toBe(`${NAME} was transferred`)
  })
})

describe('a name that is released', () => {
  it('has to be typed first', async () => {
    await openName()
    await press('name-release')
    await findView('NameRelease')
    const field = screen.getByRole('textbox', { name: `Type ${NAME} to confirm` })
    await kit.user.type(field, 'alice{Enter}')
    expect(button().disabled).toBe(true)
    expect(signedTexts(kit)).toEqual([])
    await kit.user.type(field, '.hawser.id')
    expect(button().disabled).toBe(false)
    await kit.user.click(button())
    await findView('Names')
    expect(signedTexts(kit)[0]?.[0]).toMatch(/: release alice\.hawser\.id$/)
  })
})

it('names are kept as they are while they are looked at', async () => {
  await openName()
  owns(recordOf({ attributes: { bio: 'Swims' } }))(kit)
  act(() => kit.hawser.push.setState({ identityChanges: 1 }))
  await screen.findByText('Swims')
})
