// @vitest-environment jsdom
import { listedSession, PCI } from '@hawser/core/testing'
import { act, screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { setLocale } from '../../locale/setLocale.ts'
import { de } from '../../locales/de.ts'
import { findView, type OpenKit, renderConnected, showView } from '../../testing/openKit.tsx'

const SIGNATURE = `0x${'cd'.repeat(64)}1b`
const unknownMethod = () => {
  throw Object.assign(new Error('The method is not supported'), { code: 4200 })
}

/** Opens the list of an account with sessions, for which the wallet has signed. */
async function openList(...listed: object[]): Promise<OpenKit> {
  const kit = await renderConnected({ features: { smartSessions: true } })
  kit.wallet.answers.eth_signTypedData_v4 = () => SIGNATURE
  kit.wallet.answers.wallet_revokePermissions = unknownMethod
  kit.gateway.sessions.listed = listed
  await showView(kit, 'Profile')
  await kit.user.click(screen.getByTestId('w3m-header-smart-sessions'))
  await findView('SmartSessionList')
  await kit.user.click(screen.getByTestId('smart-sessions-show-button'))
  return kit
}

const row = (pci = PCI) => screen.findByTestId(`smart-session-${pci}`, {}, { timeout: 4000 })

describe('the sessions of an account', () => {
  it('are in its settings only where the site has the feature', async () => {
    await showView(await renderConnected(), 'Profile')
    expect(screen.queryByTestId('w3m-header-smart-sessions')).toBeNull()
  })

  it('say who may spend how much until when, and what is spent', async () => {
    const { user } = await openList(listedSession())
    expect((await row()).textContent).toContain('Coffeehttps://coffee.test')
    expect(screen.getByTestId('group-title').textContent).toMatch(/November/)
    await user.click(screen.getByRole('button', { name: /Coffee/ }))
    const { textContent } = await row()
    expect(textContent).toContain('Limit0.01 ETH every day')
    expect(textContent).toContain('Spent0.004 ETH of 0.01 ETH')
    expect(textContent).toContain('Uses1 of 10')
    expect(textContent).toContain('Duration~ 24 hours')
    expect(textContent).toContain('Expiring dateNov 1')
  })

  it('say in the language of the page what may be spent how often', async () => {
    const { hawser, user } = await openList(
      listedSession({
        callsAllowed: 1000,
        allowances: [{ allowed: '10000000000000000', period: 7 * 86_400 }],
      }),
    )
    await row()
    await user.click(screen.getByRole('button', { name: /Coffee/ }))
    await act(() => setLocale(hawser, de))
    expect((await row()).textContent).toContain('Limit0,01 ETH alle 7 Tage')
    expect((await row()).textContent).toContain('Verwendungen1 von 1.000')
  })

  it('say in days how long they last, from two days on', async () => {
    const { user } = await openList(listedSession({ expiry: 1_700_000_000 + 7 * 86_400 }))
    await row()
    await user.click(screen.getByRole('button', { name: /Coffee/ }))
    expect((await row()).textContent).toContain('Duration7 days')
  })

  it('say which functions of which contract may be called', async () => {
    const data = {
      address: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
      abi: [],
      functions: [{ functionName: 'mint' }, { functionName: 'burn' }],
    }
    const { user } = await openList(
      listedSession({ permissions: [{ type: 'contract-call', data }], allowances: [] }),
    )
    await row()
    await user.click(screen.getByRole('button', { name: /Coffee/ }))
    const { textContent } = await row()
    expect(textContent).toContain('TypeContract call')
    expect(textContent).toContain('Contract0x5FbDB2…180aa3')
    expect(textContent).toContain('Functionsmint, burn')
  })

  it('do not say what is spent when the chain did not answer', async () => {
    const { user } = await openList(listedSession({ allowances: [{ allowed: '1', period: 60 }] }))
    await row()
    await user.click(screen.getByRole('button', { name: /Coffee/ }))
    expect((await row()).textContent).toContain('SpentUnknown')
  })

  it('are in tabs by their status, a revoking one among those that can be used', async () => {
    const { user } = await openList(
      listedSession({ pci: 'a', state: 'SESSION_STATE_REVOKING' }),
      listedSession({ pci: 'b', state: 'SESSION_STATE_EXPIRED' }),
    )
    expect((await row('a')).textContent).toContain('Revoking')
    await user.click(screen.getByRole('tab', { name: 'Expired' }))
    await row('b')
    await user.click(screen.getByRole('tab', { name: 'Revoked' }))
    expect(screen.getByText('No revoked sessions')).toBeDefined()
  })

  it('can be revoked; until the chain refuses it a session says that it is being revoked', async () => {
    const kit = await openList(listedSession())
    let isDisabled = false
    kit.gateway.node.eth_call = () => `0x${(isDisabled ? '1' : '0').padStart(64, '0')}`
    await row()
    await kit.user.click(screen.getByRole('button', { name: /Coffee/ }))
    await kit.user.click(screen.getByTestId('smart-session-revoke-button'))
    await waitFor(async () =>
      expect((await row()).textContent).toContain('The session works until the network confirms this'),
    )
    expect(screen.queryByTestId('smart-session-revoke-button')).toBeNull()
    isDisabled = true
    await waitFor(async () => {
      await kit.advance(2_000)
      expect(screen.getByText('No active sessions')).toBeDefined()
    })
    await kit.user.click(screen.getByRole('tab', { name: 'Revoked' }))
    await row()
  })

  it('that cannot be read are read again on demand', async () => {
    const kit = await renderConnected({ features: { smartSessions: true } })
    kit.wallet.answers.eth_signTypedData_v4 = () => SIGNATURE
    kit.gateway.sessions.refusals.list = { status: 503, reason: 'unavailable' }
    kit.gateway.sessions.listed = [listedSession()]
    await showView(kit, 'SmartSessionList')
    await kit.user.click(screen.getByTestId('smart-sessions-show-button'))
    await screen.findByTestId('smart-sessions-error')
    delete kit.gateway.sessions.refusals.list
    await kit.user.click(screen.getByRole('button', { name: 'Try again' }))
    await row()
  })
})

it('a granted session is reported, with an explanation', async () => {
  const kit = await renderConnected({ features: { smartSessions: true } })
  await showView(kit, 'SmartSessionCreated')
  const view = await findView('SmartSessionCreated')
  expect(view.textContent).toContain('Smart session created')
  expect(view.textContent).toContain('You can manage your session from your account settings.')
  expect(view.textContent).toContain('What’s a smart session?')
  await kit.user.click(screen.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(kit.hawser.modal.getState().open).toBe(false))
})
