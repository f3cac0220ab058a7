// @vitest-environment jsdom

import type { ActivityTransfer } from '@hawser/core'
import {
  ALICE,
  BOB,
  createConnectedKit,
  dollarInfo,
  type Kit,
  transaction,
  transfer,
} from '@hawser/core/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type OpenKit, renderPage, showView } from '../../../testing/openKit.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
})

async function openActivity(prepare: (kit: Kit) => void = () => undefined): Promise<OpenKit> {
  const kit = await createConnectedKit()
  prepare(kit)
  const page = renderPage(kit)
  await showView(page, 'Account')
  await page.user.click(screen.getByTestId('tab-activity'))
  return page
}

const nothing = { data: [], next: null }
const row = (number: number) => screen.findByTestId(`activity-${transaction(number).metadata.hash}`)
const nft = (isSpam: boolean) => ({
  name: 'Free mint',
  flags: { isSpam },
  address: 'eip155:31337:0xa',
  tokenId: '7',
  standard: 'erc721',
})

describe('the activity tab', () => {
  it('holds the place of seven rows while it loads', async () => {
    await openActivity(({ gateway }) => {
      gateway.history = () => new Promise(() => undefined)
    })
    const panel = screen.getByRole('tabpanel', { name: 'Activity' })
    expect(within(panel).getByText('Loading activity')).toBeDefined()
    expect(panel.querySelectorAll('[data-skeleton]')).toHaveLength(7)
  })

  it('is not there when the site switches history off', async () => {
    await showView(renderPage(await createConnectedKit({ features: { history: false } })), 'Account')
    expect(screen.queryByTestId('tab-activity')).toBeNull()
  })

  it('says plainly that nothing happened yet', async () => {
    await openActivity()
    const empty = await screen.findByTestId('empty-activity-state')
    expect(empty.textContent).toBe('No activity yetYour next transactions will appear here')
  })

  it('says that it could not be read, and reads it on another try', async () => {
    const { gateway, user } = await openActivity((kit) => {
      kit.gateway.history = () => Promise.reject(new TypeError('Failed to fetch'))
    })
    const error = await screen.findByTestId('activity-error')
    expect(screen.getByText('Failed to fetch transactions')).toBeDefined()
    gateway.history = () => ({ data: [transaction(1)] })
    await user.click(within(error).getByRole('button', { name: 'Try again' }))
    await row(1)
  })
})

describe('a row', () => {
  it.each([
    ['receive', transfer(), 'Received', 'From 0x709979…dc79C8', '+1 ETH'],
    [
      'send',
      transfer({ direction: 'out', recipient: BOB, fungibleInfo: dollarInfo }),
      'Sent',
      'To 0x709979…dc79C8',
      '−1 tUSD',
    ],
    ['stake', transfer({ direction: 'out', recipient: BOB }), 'Staked', 'To 0x709979…dc79C8', '−1 ETH'],
    [
      'deploy',
      transfer({ direction: 'out', recipient: BOB, quantity: { numeric: '0' } }),
      'Contract created',
      '0x709979…dc79C8',
      '',
    ],
    [
      'execute',
      transfer({ direction: 'out', recipient: BOB, quantity: { numeric: '0.0' } }),
      'Contract call',
      'To 0x709979…dc79C8',
      '',
    ],
    ['frobnicate', transfer({ direction: 'self' }), 'frobnicate', '', '1 ETH'],
    ['mint', transfer({ nftInfo: nft(false), quantity: { numeric: '1' } }), 'Minted', '', '+Free mint'],
  ])('of the operation %s says what happened', async (operationType, moved, title, whom, amount) => {
    const { fungibleInfo, ...rest } = moved
    const shown = moved.nftInfo ? rest : moved
    await openActivity(({ gateway }) => {
      gateway.history = () => ({ data: [transaction(1, { operationType }, [shown])] })
    })
    const text = (await row(1)).textContent
    expect(text).toContain(title)
    expect(text).toContain(whom)
    expect(text).toContain(amount)
    expect(text).not.toMatch(/[−+]0 /)
  })

  it('is complete when the gateway has no older page', async () => {
    const { user } = await openActivity(({ gateway }) => {
      const moved = transfer()
      gateway.history = () => ({ data: [transaction(1, {}, [moved])] })
    })
    await user.click(within(await row(1)).getByRole('button'))
    expect((await row(1)).textContent).not.toMatch(/null|undefined|NaN/)
  })

  it('of a swap shows both sides', async () => {
    await openActivity(({ gateway }) => {
      const out = transfer({ direction: 'out', quantity: { numeric: '2.5' }, fungibleInfo: dollarInfo })
      gateway.history = () => ({ data: [transaction(1, { operationType: 'trade' }, [out, transfer()])] })
    })
    expect((await row(1)).textContent).toMatch(/Swapped.*−2\.5 tUSD\+1 ETH/)
  })

  it('of an allowance without an end says so', async () => {
    await openActivity(({ gateway }) => {
      const numeric = `${(2n ** 256n - 1n) / 1_000_000n}.${String((2n ** 256n - 1n) % 1_000_000n).padStart(6, '0')}`
      const allowance = transfer({ direction: 'out', fungibleInfo: dollarInfo, quantity: { numeric } })
      gateway.history = () => ({ data: [transaction(1, { operationType: 'approve' }, [allowance])] })
    })
    expect((await row(1)).textContent).toContain('Unlimited tUSD')
  })

  it.each([
    ['failed', 'Failed'],
    ['pending', 'Pending'],
  ])('that is %s says so', async (status, text) => {
    await openActivity(({ gateway }) => {
      gateway.history = () => ({ data: [transaction(1, { status })] })
    })
    expect(within(await row(1)).getByText(text)).toBeDefined()
  })

  it('shows every digit when it is expanded, and links to the explorer', async () => {
    const { user } = await openActivity(({ gateway }) => {
      const exact = transfer({ quantity: { numeric: '1.000000000000000001' } })
      gateway.history = () => ({ data: [transaction(1, { fee: '21000000000001' }, [exact])] })
    })
    const button = within(await row(1)).getByRole('button')
    await user.click(button)
    expect(button.getAttribute('aria-expanded')).toBe('true')
    expect((await row(1)).textContent).toContain('+1.000000000000000001 ETH')
    expect(within(await row(1)).getByTitle('0.000021000000000001 ETH')).toBeDefined()
    expect(screen.getByRole('link', { name: 'View on Explorer' }).getAttribute('href')).toBe(
      `https://explorer.test/tx/${transaction(1).metadata.hash}`,
    )
  })
})

describe('a row of Solana', () => {
  const chain = 'solana:HawserDevnet11111111111111111111'
  const [owner, friend] = [
    '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
    'GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL',
  ]
  const mint = `${chain}:Hhe6dJt8bW3GnhCagBo15yBEMZVUQevkK2u2tAsML3Kd`
  const of = (change: Partial<ActivityTransfer> = {}) =>
    transfer({
      fungibleInfo: { name: 'Test USD', symbol: 'tUSD', decimals: 6, address: mint },
      quantity: { numeric: '2.500000' },
      sender: friend,
      recipient: owner,
      ...change,
    })
  const show = (metadata: Parameters<typeof transaction>[1], transfers = [of()], spam = false) =>
    openActivity(({ gateway }) => {
      const shown = transaction(1, { chain, sentFrom: friend, sentTo: owner, ...metadata }, transfers)
      gateway.history = () => ({ data: [{ ...shown, spam }] })
    })

  it('names the other party', async () => {
    await show({})
    expect((await row(1)).textContent).toMatch(/Received.*From GpMZbSM2…TvxFbL.*\+2\.5 tUSD/)
  })

  it('names no party that is not known, as of a mint', async () => {
    await show({ operationType: 'mint' }, [of({ sender: '' })])
    expect((await row(1)).textContent).toMatch(/^tUSDMinted\+2\.5 tUSD/)
  })

  it('names a token without metadata by its address', async () => {
    await show({}, [of({ fungibleInfo: { name: '', symbol: '', decimals: 6, address: mint } })])
    expect((await row(1)).textContent).toContain('+2.5 Hhe6dJt8…sML3Kd')
  })

  it('of an allowance without an end says so', async () => {
    await show({ operationType: 'approve' }, [
      of({
        direction: 'out',
        sender: owner,
        recipient: friend,
        quantity: { numeric: '18446744073709.551615' },
      }),
    ])
    expect((await row(1)).textContent).toContain('Unlimited tUSD')
  })

  it('says why it failed, and who paid the fee', async () => {
    const { user } = await show({
      status: 'failed',
      error: 'Instruction 1: custom program error 0x1',
      feePayer: friend,
    })
    await user.click(within(await row(1)).getByRole('button'))
    const text = (await row(1)).textContent
    expect(text).toContain('ErrorInstruction 1: custom program error 0x1')
    expect(text).toContain(`Fee paid by${friend}`)
  })

  it('says what the lamports are for that a new token account of the receiver takes', async () => {
    const out = { direction: 'out', sender: owner, recipient: friend }
    const sol = { name: 'Solana', symbol: 'SOL', decimals: 9 }
    const rent = of({ ...out, fungibleInfo: sol, quantity: { numeric: '0.002039280' }, rent: true })
    const { user } = await show({ operationType: 'send' }, [of(out), rent])
    await user.click(within(await row(1)).getByRole('button'))
    expect((await row(1)).textContent).toContain('−0.00203928 SOLReceiver’s new token account')
  })

  it('of a suspicious token is hidden, and is not called unverified: it did arrive', async () => {
    const named = { name: 'Claim at https://claim.example', symbol: 'CLAIM', decimals: 6, address: mint }
    const { user } = await show({}, [of({ fungibleInfo: { ...named, warning: 'link' } })], true)
    await user.click(await screen.findByRole('button', { name: 'Show hidden (1)' }))
    const text = (await row(1)).textContent
    expect(text).toContain('Received')
    expect(text).toContain('Link in name')
    expect(text).not.toContain('Unverified')
  })
})

describe('a poisoned row', () => {
  /** Its ends are those of Bob's address. */
  const likeBob = '0x7099000000000000000000000000000000dC79c8'
  const sent = transaction(1, { operationType: 'send', sentFrom: ALICE, sentTo: BOB }, [
    transfer({ direction: 'out', sender: ALICE, recipient: BOB }),
  ])
  const poison = transaction(2, { sentFrom: likeBob }, [
    transfer({ sender: likeBob, quantity: { numeric: '0.000000000000000000' } }),
  ])

  it('is marked, and its address is neither shortened nor offered for copying', async () => {
    const { user } = await openActivity(({ gateway }) => {
      gateway.history = () => ({ data: [poison, sent] })
    })
    expect((await row(2)).dataset.poisoned).toBe('true')
    expect((await row(2)).textContent).toContain('From a look-alike address')
    expect((await row(2)).textContent).not.toContain('79c8')
    expect(within(await row(2)).queryByTitle(likeBob)).toBeNull()
    await user.click(within(await row(2)).getByRole('button'))
    expect((await row(2)).textContent).toContain('Don’t copy it.')
    expect((await row(2)).textContent).toContain(likeBob)
    expect(within(await row(2)).queryByRole('button', { name: /Copy address/ })).toBeNull()
  })

  it('does not mark the one that it imitates, whose addresses can be copied', async () => {
    const { user } = await openActivity(({ gateway }) => {
      gateway.history = () => ({ data: [poison, sent] })
    })
    expect((await row(1)).dataset.poisoned).toBeUndefined()
    expect((await row(1)).textContent).toContain('To 0x709979…dc79C8')
    await user.click(within(await row(1)).getByRole('button'))
    expect(within(await row(1)).getAllByRole('button', { name: /Copy address/ })).toHaveLength(2)
  })
})

describe('the list', () => {
  it('is grouped by day', async () => {
    await openActivity(({ gateway }) => {
      const data = ['2023-11-14T10:00:00Z', '2023-11-02T10:00:00Z', '2022-12-15T10:00:00Z']
      gateway.history = () => ({ data: data.map((minedAt, index) => transaction(index, { minedAt })) })
    })
    await row(0)
    expect(screen.getAllByTestId('group-title').map(({ textContent }) => textContent)).toEqual([
      'Today',
      'November 2',
      'December 15, 2022',
    ])
  })

  it('loads more by a button', async () => {
    const { user } = await openActivity(({ gateway }) => {
      gateway.history = (cursor) =>
        cursor ? { data: [transaction(1)] } : { data: [transaction(2)], next: 'c-2' }
    })
    await row(2)
    await user.click(screen.getByTestId('load-more-activity'))
    await row(1)
    expect(screen.queryByTestId('load-more-activity')).toBeNull()
  })

  it('loads more when scrolled to its end', async () => {
    let see: (entries: { isIntersecting: boolean }[]) => void = () => undefined
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(callback: typeof see) {
          see = callback
        }
        observe() {}
        disconnect() {}
      },
    )
    await openActivity(({ gateway }) => {
      gateway.history = (cursor) =>
        cursor ? { data: [transaction(1)] } : { data: [transaction(2)], next: 'c-2' }
    })
    await row(2)
    act(() => see([{ isIntersecting: true }]))
    await row(1)
  })

  it('hides spam behind a row with its count', async () => {
    const { user } = await openActivity(({ gateway }) => {
      const spam = transaction(2, {}, [transfer({ nftInfo: nft(true) })])
      gateway.history = () => ({ data: [transaction(3), spam, transaction(1)] })
    })
    await row(3)
    expect(screen.queryByTestId(`activity-${transaction(2).metadata.hash}`)).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Show hidden (1)' }))
    await row(2)
  })

  it('hides transfers that only a token claims, and never shows them as sent', async () => {
    const { gateway, user } = await openActivity((kit) => {
      const fake = {
        ...dollarInfo,
        address: 'eip155:31337:0xFA4e00000000000000000000000000000000FA4E',
        warning: 'look_alike',
      }
      const claim = transfer({ direction: 'out', recipient: BOB, fungibleInfo: fake, spam: true })
      const spam = { ...transaction(2, { operationType: 'execute' }, [claim]), spam: true }
      kit.gateway.history = () => ({ data: [transaction(3), spam] })
    })
    await row(3)
    expect(gateway.requests.some((request) => request.includes('"includeSpam":true'))).toBe(true)
    expect(screen.queryByTestId(`activity-${transaction(2).metadata.hash}`)).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Show hidden (1)' }))
    const text = (await row(2)).textContent ?? ''
    expect(text).toContain('Unverified')
    expect(text).toContain('0xFA4e00…00FA4E')
    expect(text).toContain('Look-alike')
    expect(text).not.toMatch(/Sent|Swapped|709979|−/)
    await user.click(within(await row(2)).getByRole('button'))
    expect((await row(2)).textContent).toContain('This comes from an unknown token')
    expect(within(await row(2)).queryByRole('button', { name: /Copy (address|token contract)/ })).toBeNull()
    expect(screen.getByTestId('token-contract').textContent).toContain(
      '0xFA4e00000000000000000000000000000000FA4E',
    )
    expect(screen.getByRole('link', { name: 'Contract on Explorer' }).getAttribute('href')).toBe(
      'https://explorer.test/address/0xFA4e00000000000000000000000000000000FA4E',
    )
  })

  it('names a contract by its address, whatever it is called', async () => {
    await openActivity(({ gateway }) => {
      const metadata = { operationType: 'approve', application: { name: 'Uniswap', iconUrl: '' } }
      const allowance = transfer({ direction: 'out', recipient: BOB, fungibleInfo: dollarInfo })
      gateway.history = () => ({ data: [transaction(1, metadata, [allowance])] })
    })
    expect((await row(1)).textContent).toContain('To 0x709979…dc79C8')
  })

  it.each(['execute', 'deploy'])('shows a contract, and not the currency, for %s', async (operationType) => {
    await openActivity(({ gateway }) => {
      gateway.history = () => ({ data: [transaction(1, { operationType })] })
    })
    const mark = (await row(1)).querySelector('.hw-activity-mark')
    expect(mark?.querySelector('.hw-activity-contract')).not.toBeNull()
    expect(mark?.querySelector('.hw-asset-icon')).toBeNull()
  })

  it('removes a row that a reorg removed', async () => {
    const { gateway, hawser } = await openActivity((kit) => {
      kit.gateway.history = () => ({ data: [transaction(2), transaction(1)] })
    })
    await row(2)
    gateway.history = () => ({ data: [transaction(1)] })
    act(() => hawser.push.setState({ activityChanges: 1 }))
    await waitFor(() => expect(screen.queryByTestId(`activity-${transaction(2).metadata.hash}`)).toBeNull())
    await row(1)
  })

  it.each([
    [{ backfilling: true, fromBlock: {}, nativeFromBlock: {} }, 'Loading older activity'],
    [
      { backfilling: false, fromBlock: { 'eip155:31337': '0' }, nativeFromBlock: { 'eip155:31337': '1234' } },
      'No native transfers available before block 1,234',
    ],
    [
      { backfilling: false, fromBlock: { 'eip155:31337': '99' }, nativeFromBlock: { 'eip155:31337': '99' } },
      'No activity available before block 99',
    ],
  ])('says what is missing', async (coverage, note) => {
    await openActivity(({ gateway }) => {
      gateway.history = () => ({ ...nothing, coverage })
    })
    expect((await screen.findByTestId('activity-coverage')).textContent).toBe(note)
  })
})
