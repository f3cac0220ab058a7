// @vitest-environment jsdom
import '@hawser/ui/testing'
// Compiles the view's chunk before the first test, whose time it would take.
import '../../features/profile.ts'
import { connect } from '@hawser/core'
import { ALICE, BOB, createConnectedKit, createFakeWallet, createKit } from '@hawser/core/testing'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderPage, showView } from '../../testing/openKit.tsx'

describe('the accounts of a wallet', () => {
  it('are listed by name when it grants several, and the active one is marked', async () => {
    const wallet = createFakeWallet()
    wallet.accounts = [ALICE, BOB]
    const kit = renderPage(await createConnectedKit({}, wallet))
    kit.gateway.names.identity = (address) => ({
      ...(address === BOB && { name: 'bob.hawser.id' }),
    })
    await showView(kit, 'Profile')
    const [alice, bob] = [ALICE, BOB].map((address) => screen.getByTestId(`account-choice-${address}`))
    await waitFor(() => expect(bob?.textContent).toContain('bob.hawser.id'))
    expect(alice?.getAttribute('aria-current')).toBe('true')
    await kit.user.click(bob as HTMLElement)
    expect(bob?.getAttribute('aria-current')).toBe('true')
    expect(alice?.getAttribute('aria-current')).toBeNull()
    expect(screen.getByTestId('account-button').textContent).toContain('bob.hawser.id')
  })

  it('are not listed when it grants one', async () => {
    const kit = renderPage(await createConnectedKit())
    await showView(kit, 'Profile')
    expect(screen.queryByTestId(`account-choice-${ALICE}`)).toBeNull()
  })
})

describe('the rows of names', () => {
  it('stay in their places when the primary name is read', async () => {
    let answer: (identity: { name: string }) => void = () => undefined
    const connecting = createKit()
    connecting.gateway.names.identity = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    connecting.hawser.mount()
    await connect(connecting.hawser, { connector: connecting.wallet.connector })
    const kit = renderPage(connecting)
    await showView(kit, 'Profile')
    const row = screen.getByTestId('account-choose-name-button')
    answer({ name: 'alice.hawser.id' })
    await screen.findAllByText('alice.hawser.id')
    expect(row.isConnected).toBe(true)
  })
})
