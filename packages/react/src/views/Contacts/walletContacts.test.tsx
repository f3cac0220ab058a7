// @vitest-environment jsdom
import { connect } from '@hawser/core'
import { ALICE, BOB, createFakeEmbeddedWallet, createKit, whenUserIsRead } from '@hawser/core/testing'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { findView, type OpenKit, renderPage, showView } from '../../testing/openKit.tsx'

const bob = { namespace: 'eip155', address: BOB, name: 'Bob' }
const alice = { namespace: 'eip155', address: ALICE, name: 'Alice' }

let kit: OpenKit
/** What the wallet has; undefined while it is not shared. */
let inWallet: readonly (typeof bob)[] | undefined

const text = (testId: string) => screen.queryByTestId(testId)?.textContent
const rows = () => screen.queryAllByTestId(/^contact-0x/).map((row) => row.textContent)

/** Opens the contacts of a page that has Bob, with an embedded wallet that has Alice. */
async function openContacts({ isShared }: { isShared: boolean }) {
  const frame = createFakeEmbeddedWallet()
  frame.emailAction = 'CONNECT'
  inWallet = isShared ? [alice] : undefined
  frame.frameAnswers.getContacts = (options) => {
    if ((options as { ask: boolean }).ask) inWallet ??= [alice]
    return inWallet
  }
  const connected = createKit({}, frame)
  connected.storage.setItem('@hawser/v1/contacts', JSON.stringify([bob]))
  connected.hawser.mount()
  await (await frame.connector.getEmbeddedWallet?.())?.connectEmail('ada@example.com')
  await connect(connected.hawser, { connector: frame.connector })
  await whenUserIsRead(connected.hawser)
  kit = renderPage(connected)
  await showView(kit, 'Contacts')
  await findView('Contacts')
  return frame
}

describe('contacts that the visitor does not share with the site', () => {
  beforeEach(async () => {
    await openContacts({ isShared: false })
  })

  it('are offered, and used once they are shared', async () => {
    await screen.findByTestId('contacts-share')
    expect(rows()).toEqual(['Bob0x709979…dc79C8'])
    expect(text('contacts-wallet')).toBe('Your wallet keeps contacts encrypted, on all your devices.')
    await kit.user.click(screen.getByTestId('contacts-share'))
    await waitFor(() => expect(rows()).toEqual(['Alice0xf39Fd6…b92266']))
    expect(text('contacts-wallet')).toBe('These contacts are in your wallet, on all your devices.')
    expect(screen.queryByTestId('contacts-share')).toBeNull()
  })
})

describe('the contacts of the wallet', () => {
  it('get those of the page by a button', async () => {
    const frame = await openContacts({ isShared: true })
    frame.frameAnswers.changeContacts = () => {
      inWallet = [alice, bob]
      return inWallet
    }
    await kit.user.click(await screen.findByTestId('contacts-copy'))
    await waitFor(() => expect(rows()).toEqual(['Alice0xf39Fd6…b92266', 'Bob0x709979…dc79C8']))
    expect(frame.frameCalls.at(-1)).toEqual({ name: 'changeContacts', argument: [bob] })
    expect(screen.queryByTestId('contacts-copy')).toBeNull()
  })

  it('say when there is no room for those of the page', async () => {
    const frame = await openContacts({ isShared: true })
    frame.frameAnswers.changeContacts = () => {
      throw Object.assign(new Error('The wallet has too many contacts'), { reason: 'contactsFull' })
    }
    const copy = await screen.findByTestId('contacts-copy')
    expect(copy.textContent).toBe('Copy 1 contact of this browser')
    await kit.user.click(copy)
    await waitFor(() =>
      expect(text('contacts-problem')).toBe('Your wallet has no room for more contacts. Delete some first.'),
    )
    expect(rows()).toEqual(['Alice0xf39Fd6…b92266'])
  })
})
