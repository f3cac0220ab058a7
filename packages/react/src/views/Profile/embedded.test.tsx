// @vitest-environment jsdom

import { setPreferredAccountType } from '@hawser/core'
import { whenUserIsRead } from '@hawser/core/testing'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { loginFeature } from '../../modal/loginFeature.ts'
import { openEmbedded } from '../../testing/openEmbedded.tsx'
import { findView, showView } from '../../testing/openKit.tsx'

// The first import of a chunk can take longer than the default timeout of a query.
beforeAll(async () => {
  await loginFeature.load()
})

describe('the settings of an embedded wallet', () => {
  it('lead to its login, its keys and its sessions', async () => {
    const page = await openEmbedded()
    await showView(page, 'Profile')
    expect((await screen.findByTestId('w3m-account-email-update')).textContent).toContain('ada@example.com')
    const security = screen.getByTestId<HTMLAnchorElement>('account-security')
    expect(security.href).toBe('https://wallet.test/account')
    // The account page reaches the wallet's frame through this page.
    expect(security.rel).toBe('opener')
    await page.user.click(screen.getByTestId('w3m-account-upgrade-wallet'))
    await findView('UpgradeEmailWallet')
    expect(screen.getByTestId('w3m-secure-website-button').textContent).toBe('wallet.test')
    expect(page.eventNames()).toContain('EMAIL_UPGRADE_FROM_MODAL')
  })

  it('ask for a backup while only this browser opens the wallet', async () => {
    const page = await openEmbedded()
    await showView(page, 'Account')
    expect(screen.queryByTestId('account-backup')).toBeNull()
    page.frame.user = { ...page.frame.user, hasBackup: false }
    await act(async () => {
      await setPreferredAccountType(page.hawser, 'eoa', 'eip155')
      await whenUserIsRead(page.hawser)
    })
    const notice = await screen.findByTestId<HTMLAnchorElement>('account-backup')
    expect(notice.href).toBe('https://wallet.test/account')
    await showView(page, 'WalletReceive')
    await screen.findByTestId('account-backup')

    page.frame.user = { ...page.frame.user, hasBackup: true }
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    await waitFor(() => expect(screen.queryByTestId('account-backup')).toBeNull())
  })

  it('say that the login ends with the tab where the browser stores nothing', async () => {
    const page = await openEmbedded({}, { endsWithTab: true })
    await showView(page, 'Account')
    const notice = await screen.findByTestId('account-ends-with-tab')
    expect(notice.textContent).toContain('Your login ends with this tab')
  })

  it('change the email with both codes', async () => {
    const page = await openEmbedded()
    await showView(page, 'Profile')
    await page.user.click(await screen.findByTestId('w3m-account-email-update'))
    await findView('UpdateEmailWallet')
    const save = screen.getByTestId<HTMLButtonElement>('w3m-update-email-save')
    expect(save.disabled).toBe(true)
    await page.user.clear(screen.getByTestId('wui-email-input'))
    await page.user.type(screen.getByTestId('wui-email-input'), 'ada@example.org{Enter}')
    await findView('UpdateEmailPrimaryOtp')
    expect(screen.getByText('ada@example.com')).toBeDefined()
    await page.user.type(screen.getByTestId('wui-otp-input'), '123456')
    await findView('UpdateEmailSecondaryOtp')
    await waitFor(() => expect(screen.getByText('ada@example.org')).toBeDefined())
    await page.user.type(screen.getByTestId('wui-otp-input'), '123456')
    await findView('Profile')
    expect((await screen.findByTestId('w3m-account-email-update')).textContent).toContain('ada@example.org')
  })

  it('switch the type of account', async () => {
    const page = await openEmbedded()
    await showView(page, 'Profile')
    const row = await screen.findByTestId('account-toggle-preferred-account-type')
    expect(row.textContent).toContain('Switch to your standard account')
    await page.user.click(row)
    await waitFor(() => expect(row.textContent).toContain('Switch to your smart account'))
    expect(page.eventNames()).toContain('SET_PREFERRED_ACCOUNT_TYPE')
  })

  it('have no such switch on a network without smart accounts', async () => {
    const page = await openEmbedded()
    page.frame.frameAnswers.getSmartAccountEnabledNetworks = () => []
    await showView(page, 'Profile')
    await screen.findByTestId('w3m-account-email-update')
    act(() => page.frame.emit('chainChanged', '0x7a6a'))
    await waitFor(() => expect(screen.queryByTestId('account-toggle-preferred-account-type')).toBeNull())
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a request that waits in the frame', () => {
  it('shows the frame over the card, and hides it when it is answered', async () => {
    vi.stubGlobal(
      'ResizeObserver',
      class {
        observe() {}
        disconnect() {}
      },
    )
    const page = await openEmbedded()
    act(() => page.frame.emitFrame('approval', { method: 'personal_sign' }))
    await findView('ApproveTransaction')
    expect(screen.getByTestId('w3m-header-text').textContent).toBe('Approve transaction')
    expect(screen.queryByTestId('header-back')).toBeNull()
    await waitFor(() => expect(page.frame.shownAt).toBeDefined())
    act(() => page.frame.emitFrame('approvalEnd', undefined))
    await waitFor(() => expect(page.frame.shownAt).toBeUndefined())
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
