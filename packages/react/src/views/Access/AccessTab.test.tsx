// @vitest-environment jsdom

import { closeModal, fetchSmartSessions, openModal } from '@hawser/core'
import {
  createConnectedKit,
  DOLLAR_ADDRESS,
  ETHER,
  EXCHANGE,
  type Kit,
  LIMITED,
  listedSession,
  ONE_NFT,
  OPERATOR,
  PERSON,
  previewing,
  STRANGER,
  sent,
  THROUGH_PERMIT2,
  UNLIMITED,
} from '@hawser/core/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openEmbedded } from '../../testing/openEmbedded.tsx'
import { findView, type OpenKit, renderPage, showView } from '../../testing/openKit.tsx'

// The chunk of the tab is compiled before the first test, whose time it would take.
import '../../features/access.ts'

type Answer = Awaited<ReturnType<Kit['gateway']['approvals']>>

/** Opens the tab of an account. */
async function openTab(
  answer: Answer,
  options: Parameters<typeof createConnectedKit>[0] = {},
): Promise<OpenKit> {
  const kit = await createConnectedKit(options)
  kit.gateway.approvals = () => answer
  const page = renderPage(kit)
  await showView(page, 'Account')
  await page.user.click(screen.getByTestId('tab-access'))
  return page
}

/** Returns the row of a spender, a plain address. */
async function rowOf(spender: string, kind = 'erc20'): Promise<HTMLElement> {
  return waitFor(() => {
    const row = document.querySelector<HTMLElement>(`[data-kind="${kind}"][data-spender$="${spender}"]`)
    if (!row) throw new Error(`There is no row of ${spender}`)
    return row
  })
}

const select = async (page: OpenKit, spender: string, kind?: string) =>
  page.user.click(within(await rowOf(spender, kind)).getByTestId('approval-select'))
const confirm = () => screen.getByTestId<HTMLButtonElement>('revocation-confirm-button')

describe('the approvals of an account', () => {
  it('say who may take what until when, and what is at risk', async () => {
    await openTab({ approvals: [UNLIMITED, LIMITED, THROUGH_PERMIT2, OPERATOR, ONE_NFT] })
    expect((await screen.findByTestId('access-total')).textContent).toBe('$12.50')
    expect((await rowOf(STRANGER)).textContent).toContain('0x44444444…44444444')
    expect((await rowOf(STRANGER)).textContent).toContain('Unlimited')
    expect((await rowOf(STRANGER)).textContent).toContain('$12.50')
    expect((await rowOf(EXCHANGE)).textContent).toMatch(/Example Exchange5 tUSD\$5\.00/)
    expect((await rowOf(EXCHANGE, 'permit2')).textContent).toContain('5 tUSD · until Jan 1, 2030')
    expect((await rowOf(PERSON, 'operator')).textContent).toContain('Every NFT of the collection')
    expect((await rowOf(PERSON, 'operator')).textContent).toContain('2 ANCHOR')
    expect((await rowOf(EXCHANGE, 'nft')).textContent).toContain('NFT #4')
    expect(screen.getByText('Some of it has no known price.')).toBeDefined()
  })

  it('mark dangers by text', async () => {
    await openTab({ approvals: [UNLIMITED, OPERATOR, LIMITED] })
    expect((await rowOf(STRANGER)).textContent).toContain('Danger: unknown spender')
    expect((await rowOf(PERSON, 'operator')).textContent).toContain('Danger: not a contract')
    expect((await rowOf(EXCHANGE)).textContent).not.toContain('Danger')
  })

  it('show the whole addresses and the transaction on demand', async () => {
    const page = await openTab({ approvals: [UNLIMITED] })
    const row = await rowOf(STRANGER)
    await page.user.click(within(row).getByRole('button', { expanded: false }))
    expect(within(row).getByTestId('approval-spender').textContent).toContain(STRANGER)
    expect(row.textContent).toContain('may take everything that you have of this token')
    expect(row.textContent).toContain(DOLLAR_ADDRESS)
    expect(row.textContent).toContain('Token allowance')
    expect(row.textContent).toContain('12.5 tUSD')
    expect(within(row).getByRole('link', { name: 'Spender on Explorer' }).getAttribute('href')).toBe(
      `https://explorer.test/address/${STRANGER}`,
    )
    expect(within(row).getByTestId('approval-explorer').getAttribute('href')).toContain('/tx/0xc4')
  })

  it('say that there are none, that they are read, or that they cannot be', async () => {
    const page = await openTab({})
    await screen.findByTestId('empty-access-state')
    page.gateway.approvals = () => Promise.reject(new TypeError('Failed to fetch'))
    await act(async () => {
      page.hawser.access.setState({ isLoaded: false })
    })
    expect(screen.getByText('Loading approvals')).toBeDefined()
    await act(async () => {
      page.hawser.push.setState({ activityChanges: 9 })
    })
    const error = await screen.findByTestId('access-error')
    page.gateway.approvals = () => ({ approvals: [LIMITED] })
    await page.user.click(within(error).getByRole('button', { name: 'Try again' }))
    await rowOf(EXCHANGE)
  })

  it('say what the list may lack', async () => {
    const page = await openTab({
      approvals: [LIMITED],
      backfilling: true,
      fromBlock: '1200',
      truncated: true,
    })
    await screen.findByText('Older blocks are still being read. More may appear.')
    expect(screen.getByText('This account has more approvals than are listed here.')).toBeDefined()
    page.gateway.approvals = () => ({ approvals: [LIMITED], fromBlock: '1200' })
    await act(async () => {
      page.hawser.push.setState({ activityChanges: 9 })
    })
    await screen.findByText('No approvals known from before block 1,200')
  })

  it('have no tab where the site does not want it, and none once the gateway has no such call', async () => {
    const page = await openTab({ approvals: [LIMITED] })
    await rowOf(EXCHANGE)
    act(() => page.hawser.served.setState({ approvals: false }))
    expect(screen.queryByTestId('tab-access')).toBeNull()
    expect(screen.getByTestId('tab-tokens').getAttribute('aria-selected')).toBe('true')
    act(() => {
      page.hawser.served.setState({ approvals: true })
      page.hawser.options.setState(({ features }) => ({ features: { ...features, access: false } }))
    })
    expect(screen.queryByTestId('tab-access')).toBeNull()
  })
})

describe('the code that an account runs', () => {
  const delegation = { address: 'eip155:31337:0x7777777777777777777777777777777777777777' }

  it('is a danger if it is unknown, and is ended in the wallet', async () => {
    await openTab({ delegation })
    const card = await screen.findByTestId('access-delegation')
    expect(card.textContent).toContain('Danger: unknown code')
    expect(card.textContent).toContain('0x7777777777777777777777777777777777777777')
    expect(card.textContent).toContain('in the settings of your wallet')
    expect(screen.queryByTestId('delegation-remove')).toBeNull()
  })

  it('is named if it is known', async () => {
    await openTab({ delegation: { ...delegation, name: 'Example Account' } })
    const card = await screen.findByTestId('access-delegation')
    expect(card.textContent).toContain('runs the code of Example Account')
    expect(card.textContent).not.toContain('Danger')
  })

  it('is ended on the page of an embedded wallet, which has the sites as well', async () => {
    const page = await openEmbedded()
    page.gateway.approvals = () => ({ delegation })
    await showView(page, 'Account')
    await page.user.click(screen.getByTestId('tab-access'))
    const remove = await screen.findByTestId<HTMLAnchorElement>('delegation-remove')
    expect(remove.href).toBe('https://wallet.test/account')
    expect(remove.rel).toBe('opener')
    expect(screen.getByTestId<HTMLAnchorElement>('access-sites').href).toBe('https://wallet.test/account')
  })
})

it('smart sessions have a row with how many can be used, which leads to them', async () => {
  const page = await openTab({}, { features: { smartSessions: true } })
  const row = await screen.findByTestId('access-sessions')
  expect(row.textContent).not.toContain('active')
  page.wallet.answers.eth_signTypedData_v4 = () => `0x${'cd'.repeat(64)}1b`
  page.gateway.sessions.listed = [listedSession()]
  await act(async () => void (await fetchSmartSessions(page.hawser)))
  expect(row.textContent).toContain('1 active')
  await page.user.click(row)
  await findView('SmartSessionList')
})

describe('revoking', () => {
  it('one approval asks the wallet after a review', async () => {
    const page = await openTab({ approvals: [UNLIMITED] })
    await page.user.click(within(await rowOf(STRANGER)).getByRole('button', { expanded: false }))
    await page.user.click(screen.getByTestId('approval-revoke'))
    const view = await findView('RevokeApprovals')
    expect(screen.getByTestId('w3m-header-text').textContent).toBe('Review revocation')
    expect(view.textContent).toContain('This approval ends:')
    expect(sent(page)).toEqual([])
    await waitFor(() => expect(confirm().disabled).toBe(false))
    page.gateway.approvals = () => ({})
    await page.user.click(confirm())
    await findView('Account')
    expect(sent(page)).toHaveLength(1)
    await screen.findByTestId('empty-access-state')
  })

  it('several is done with the keyboard', async () => {
    const page = await openTab({ approvals: [UNLIMITED, LIMITED, OPERATOR] })
    const first = within(await rowOf(STRANGER)).getByRole('checkbox', {
      name: 'Select tUSD for 0x44444444…44444444',
    })
    act(() => first.focus())
    await page.user.keyboard(' ')
    // The row, and then the tick of the next one.
    await page.user.tab()
    await page.user.tab()
    expect(within(await rowOf(EXCHANGE)).getByTestId('approval-select')).toBe(document.activeElement)
    await page.user.keyboard(' ')
    const revoke = screen.getByTestId('access-revoke-button')
    expect(revoke.textContent).toBe('Revoke (2)')
    act(() => revoke.focus())
    await page.user.keyboard('{Enter}')
    await findView('RevokeApprovals')
    expect(screen.getByTestId('revocation-requests').textContent).toContain('2')
    await waitFor(() => expect(confirm().disabled).toBe(false))
    act(() => confirm().focus())
    await page.user.keyboard('{Enter}')
    await findView('Account')
    expect(sent(page)).toHaveLength(2)
  })

  it('all of them is one tick, which a second press removes', async () => {
    const page = await openTab({ approvals: [UNLIMITED, LIMITED, OPERATOR] })
    await page.user.click(await screen.findByTestId('access-select-all'))
    expect(screen.getByTestId('access-revoke-button').textContent).toBe('Revoke (3)')
    expect(screen.getByText('3 selected')).toBeDefined()
    await page.user.click(screen.getByTestId('access-select-all'))
    expect(screen.queryByTestId('access-revoke-button')).toBeNull()
  })

  it('shows what failed, and tries it again', async () => {
    const page = await openTab({ approvals: [UNLIMITED, OPERATOR] })
    const receipts = ['0x1', '0x0', '0x1']
    page.gateway.node.eth_getTransactionReceipt = () => ({ status: receipts.shift() })
    await select(page, STRANGER)
    await select(page, PERSON, 'operator')
    await page.user.click(screen.getByTestId('access-revoke-button'))
    await findView('RevokeApprovals')
    await waitFor(() => expect(confirm().disabled).toBe(false))
    await page.user.click(confirm())
    await screen.findByTestId('revocation-failed')
    expect(screen.getByTestId('revocation-done')).toBeDefined()
    expect(screen.getByTestId('revocation').textContent).toContain('not revoked')
    expect(confirm().textContent).toBe('Try again')
    await page.user.click(confirm())
    await findView('Account')
    expect(sent(page)).toHaveLength(3)
  })

  it('asks for a tick if the preview has a danger', async () => {
    const page = await openTab({ approvals: [LIMITED] })
    page.gateway.simulate = () => ({
      outcome: 'OUTCOME_SUCCEEDS',
      warnings: [{ severity: 'SEVERITY_DANGER', text: 'All leaves.' }],
    })
    await select(page, EXCHANGE)
    await page.user.click(screen.getByTestId('access-revoke-button'))
    await findView('RevokeApprovals')
    await screen.findByText('All leaves.')
    expect(confirm().disabled).toBe(true)
    await page.user.click(screen.getByTestId('revocation-danger-accept'))
    expect(confirm().disabled).toBe(false)
    expect(confirm().textContent).toBe('Revoke anyway')
  })

  it('is left by Cancel, with the selection kept', async () => {
    const page = await openTab({ approvals: [LIMITED, UNLIMITED] })
    await select(page, EXCHANGE)
    await page.user.click(screen.getByTestId('access-revoke-button'))
    await findView('RevokeApprovals')
    await page.user.click(screen.getByTestId('revocation-cancel-button'))
    await findView('Account')
    expect(screen.getByTestId('access-revoke-button').textContent).toBe('Revoke (1)')
  })
})

/** Returns a kit whose visitor reviews a request that gives a dangerous approval. */
async function reviewingDanger(): Promise<Kit> {
  const kit = await previewing(ETHER, '0.1')
  const danger = { severity: 'SEVERITY_DANGER', text: 'It could take all of it.', subject: STRANGER } as const
  kit.gateway.simulate = () => ({
    outcome: 'OUTCOME_SUCCEEDS',
    approvals: [{ asset: { kind: 'ASSET_KIND_ERC20', contract: DOLLAR_ADDRESS }, spender: STRANGER }],
    warnings: [danger],
  })
  kit.gateway.approvals = () => ({ approvals: [LIMITED, UNLIMITED] })
  return kit
}

async function confirmDanger(page: OpenKit): Promise<void> {
  await findView('WalletSendPreview')
  await screen.findByText('It could take all of it.')
  await page.user.click(screen.getByTestId('send-danger-accept'))
  await page.user.click(screen.getByTestId('send-confirm-button'))
}

it('a dangerous approval that was signed all the same can be revoked from the status of its transaction', async () => {
  const kit = await reviewingDanger()
  const page = renderPage(kit)
  await confirmDanger(page)
  await findView('TransactionStatus')
  await page.user.click(screen.getByTestId('transaction-revoke-button'))
  await findView('Account')
  const row = await rowOf(STRANGER)
  await waitFor(() =>
    expect(within(row).getByRole('button', { expanded: true })).toBe(document.activeElement),
  )
  expect(within(row).getByTestId('approval-revoke')).toBeDefined()
  expect(kit.hawser.access.getState().wanted).toBeUndefined()
})

it('a dangerous approval that was signed after the modal was closed can be revoked when it is opened again, once', async () => {
  const kit = await reviewingDanger()
  const page = renderPage(kit)
  const { eth_sendTransaction: answer } = kit.wallet.answers
  kit.wallet.answers.eth_sendTransaction = (params) => {
    closeModal(kit.hawser)
    return answer?.(params)
  }
  await confirmDanger(page)
  await waitFor(() => expect(kit.hawser.send.getState().sent).toBeDefined())
  act(() => openModal(kit.hawser))
  await findView('TransactionStatus')
  expect(screen.getByTestId('transaction-revoke-button')).toBeDefined()
  act(() => closeModal(kit.hawser))
  act(() => openModal(kit.hawser))
  await findView('Account')
})

it('the status of another transaction leads to no approval', async () => {
  const page = renderPage(await previewing(ETHER, '0.1'))
  await findView('WalletSendPreview')
  await waitFor(() =>
    expect(screen.getByTestId<HTMLButtonElement>('send-confirm-button').disabled).toBe(false),
  )
  await page.user.click(screen.getByTestId('send-confirm-button'))
  await findView('TransactionStatus')
  expect(screen.queryByTestId('transaction-revoke-button')).toBeNull()
})
