// @vitest-environment jsdom
import { closeModal } from '@hawser/core'
import { createConnectedKit, moveOrder, orderOf, Refusal } from '@hawser/core/testing'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { setLocale } from '../../locale/setLocale.ts'
import { de } from '../../locales/de.ts'
import { findView, renderConnected, showView } from '../../testing/openKit.tsx'
import { openOffers, openPurchase } from '../../testing/openOnramp.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
})

const label = () => screen.getByTestId('buy-label').textContent
const text = () => screen.getByTestId('buy-text').textContent
const phase = () => screen.getByTestId('buy-in-progress').dataset.phase
const steps = () =>
  [...screen.getByTestId('buy-steps').children].map(
    (step) => `${(step as HTMLElement).dataset.state}: ${step.textContent}`,
  )

describe('a purchase', () => {
  it('is paid in the seller’s own window', async () => {
    const kit = await openPurchase()
    await waitFor(() => expect(phase()).toBe('open'))
    expect(label()).toBe('Buy in Quay')
    expect(text()).toBe('We’ll let you know when your purchase completes')
    expect(steps()).toEqual(['now: Waiting for payment', 'next: Tokens sent to you'])
    expect(kit.browser.windows).toHaveLength(1)
    await kit.user.click(screen.getByTestId('buy-copy-link'))
    expect(await navigator.clipboard.readText()).toBe('https://checkout.test/01JD1')
  })

  it('is shown step by step, to the transaction that brought the tokens', async () => {
    const kit = await openPurchase()
    const { onramp } = kit.gateway
    moveOrder(onramp, '01JD1', 'ORDER_STATE_PENDING')
    await kit.advance(2_000)
    await waitFor(() => expect(phase()).toBe('pending'))
    expect(steps()[0]).toBe('now: Checking payment')
    moveOrder(onramp, '01JD1', 'ORDER_STATE_PAID')
    await kit.advance(3_000)
    await waitFor(() => expect(steps()).toEqual(['done: Payment received', 'now: Tokens on the way']))
    moveOrder(onramp, '01JD1', 'ORDER_STATE_COMPLETED', { transaction: `0x${'ab'.repeat(32)}` })
    await kit.advance(5_000)
    await waitFor(() => expect(steps()).toEqual(['done: Payment received', 'done: Tokens sent to you']))
    expect(label()).toBe('Tokens received')
    expect(screen.getByTestId('buy-explorer').getAttribute('href')).toBe(
      `https://explorer.test/tx/0x${'ab'.repeat(32)}`,
    )
    await kit.user.click(screen.getByTestId('buy-done'))
    await findView('Account')
  })

  it('that failed says why, and offers to start again', async () => {
    const kit = await openPurchase()
    moveOrder(kit.gateway.onramp, '01JD1', 'ORDER_STATE_FAILED', { reason: 'The card was declined.' })
    await kit.advance(2_000)
    await waitFor(() => expect(label()).toBe('Purchase failed'))
    expect(text()).toBe('The card was declined.')
    expect(screen.getByTestId('buy-in-progress').textContent).not.toContain('You get')
    await kit.user.click(screen.getByTestId('buy-try-again'))
    await findView('OnRampProviders')
  })

  it('that failed for a named reason says it in the visitor’s language', async () => {
    const kit = await openPurchase()
    const change = { reason: 'No.', failure: 'ORDER_FAILURE_FUNDS_LOW' } as const
    moveOrder(kit.gateway.onramp, '01JD1', 'ORDER_STATE_FAILED', change)
    await kit.advance(2_000)
    await waitFor(() => expect(text()).toBe('The account you paid from doesn’t hold enough.'))
    await act(() => setLocale(kit.hawser, de))
    expect(text()).toBe('Das Konto, von dem Sie zahlen, ist nicht ausreichend gedeckt.')
  })

  it.each([
    ['ORDER_STATE_REFUNDED', 'Your payment was refunded'],
    ['ORDER_STATE_CANCELLED', 'Purchase cancelled'],
    ['ORDER_STATE_EXPIRED', 'Purchase expired'],
  ] as const)('that ends with %s says so', async (state, expected) => {
    const kit = await openPurchase()
    moveOrder(kit.gateway.onramp, '01JD1', state)
    await kit.advance(2_000)
    await waitFor(() => expect(label()).toBe(expected))
    expect(screen.getByTestId('buy-try-again')).toBeDefined()
  })

  it('that the gateway refuses says why in the visitor’s language, and is tried again on the spot', async () => {
    let isRefused = true
    const kit = await openPurchase(({ gateway }) => {
      const { widget } = gateway.onramp
      gateway.onramp.widget = (purchase) => {
        if (isRefused) throw new Refusal(400, 'ONRAMP_LIMIT', 'the amount must be at most 50 USD')
        return widget(purchase)
      }
    })
    await waitFor(() => expect(phase()).toBe('refused'))
    expect(text()).toBe('The provider doesn’t accept this amount.')
    await act(() => setLocale(kit.hawser, de))
    expect(text()).toBe('Der Anbieter akzeptiert diesen Betrag nicht.')
    isRefused = false
    await kit.user.click(screen.getByTestId('buy-retry'))
    await waitFor(() => expect(phase()).toBe('open'))
  })

  it('shows a toast on the page when the modal is closed', async () => {
    const kit = await openPurchase()
    act(() => closeModal(kit.hawser))
    moveOrder(kit.gateway.onramp, '01JD1', 'ORDER_STATE_COMPLETED')
    await kit.advance(2_000)
    const toast = await screen.findByText('Bought 98.5 tUSD')
    expect(toast.closest('.hw-page-toast')).not.toBeNull()
  })
})

describe('the window', () => {
  it('that was closed may be complete, and can be opened again', async () => {
    const kit = await openPurchase()
    await waitFor(() => expect(phase()).toBe('open'))
    kit.browser.windows[0]?.close()
    await kit.advance(500)
    expect(label()).toBe('Did you finish?')
    await kit.user.click(screen.getByTestId('buy-reopen'))
    expect(phase()).toBe('open')
    expect(kit.browser.windows).toHaveLength(2)
  })

  it('that was closed can be cancelled, which shows the offers', async () => {
    const kit = await openPurchase()
    kit.browser.windows[0]?.close()
    await kit.advance(500)
    await kit.user.click(await screen.findByTestId('buy-cancel'))
    await findView('OnRampProviders')
  })

  it('that the browser blocks is a link that gives nothing away', async () => {
    const kit = await openOffers()
    kit.browser.isBlocking = true
    await kit.user.click(screen.getByTestId('onramp-continue-quay'))
    await findView('BuyInProgress')
    const link = await screen.findByTestId('buy-open-checkout')
    expect(link.getAttribute('href')).toBe('https://checkout.test/01JD1')
    expect(link.getAttribute('rel')).toBe('noopener noreferrer')
  })
})

describe('the purchases of an account', () => {
  it('stand under their months with their states, and can be looked at', async () => {
    const connected = await createConnectedKit()
    const { orders } = connected.gateway.onramp
    orders.set('a', orderOf({ id: 'a', state: 'ORDER_STATE_COMPLETED', createdAt: '2023-10-01T10:00:00Z' }))
    orders.set('b', orderOf({ id: 'b', state: 'ORDER_STATE_PAID', createdAt: '2023-11-02T10:00:00Z' }))
    const kit = await renderConnected({}, connected)
    await showView(kit, 'OnRampActivity')
    await screen.findByTestId('onramp-activity')
    expect(screen.getAllByTestId('group-title').map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('November'),
      expect.stringContaining('October'),
    ])
    expect(screen.getByTestId('w3m-header-text').textContent).toBe('Your purchases')
    expect(screen.getByTestId('onramp-order-a').textContent).toMatch(/Bought.*\+98\.5 tUSD.*Completed/)
    expect(screen.getByTestId('onramp-order-b').textContent).toMatch(/Buying.*On the way/)
    await kit.user.click(screen.getByTestId('onramp-order-b').querySelector('button') as HTMLElement)
    await findView('BuyInProgress')
    expect(label()).toBe('Payment received')
  })

  it('are said to be none, with the way to the first', async () => {
    const kit = await renderConnected()
    await showView(kit, 'OnRampActivity')
    const empty = await screen.findByTestId('onramp-activity-empty')
    await kit.user.click(empty.querySelector('button') as HTMLElement)
    await findView('OnRampProviders')
  })

  it('that cannot be read are requested again on demand', async () => {
    let isAway = true
    const connected = await createConnectedKit()
    connected.gateway.onramp.page = () => {
      if (isAway) throw new Refusal(503, 'ONRAMP_UNAVAILABLE', 'away')
      return { orders: [orderOf({ id: 'a' })] }
    }
    const kit = await renderConnected({}, connected)
    await showView(kit, 'OnRampActivity')
    const error = await screen.findByTestId('onramp-activity-error')
    isAway = false
    await kit.user.click(error.querySelector('button') as HTMLElement)
    expect(await screen.findByTestId('onramp-order-a')).toBeDefined()
  })
})
