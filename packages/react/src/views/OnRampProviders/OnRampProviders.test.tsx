// @vitest-environment jsdom
import { setActiveNetwork } from '@hawser/core'
import {
  createConnectedKit,
  createKit,
  devnetTwo,
  ETHER,
  Refusal,
  SELLERS,
  sellerQuoteOf,
} from '@hawser/core/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { findView, renderConnected, renderPage, showView } from '../../testing/openKit.tsx'
import { amountField, openOffers, openOnramp } from '../../testing/openOnramp.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
})

const hint = () => screen.getByTestId('onramp-amount-hint').textContent
const away = () => {
  throw new Refusal(503, 'ONRAMP_UNAVAILABLE', 'no seller answers')
}

describe('the amount', () => {
  it('is kept whole, and refused if it is none of the currency', async () => {
    const kit = await openOnramp()
    await kit.user.type(amountField(), '-1,2a.345')
    expect(amountField().value).toBe('-1,2a.345')
    expect(screen.getByTestId('onramp-amount-hint').textContent).toBe('Enter a valid amount.')
    await kit.user.clear(amountField())
    await kit.user.paste('1,250.50')
    expect(kit.hawser.onramp.getState().amount).toBe('1250.50')
    expect(amountField().value).toBe('1,250.50')
  })

  it('shows its limits while it is typed', async () => {
    const kit = await openOnramp()
    expect(hint()).toBe('From $10.00 to $25,000.00')
    await kit.user.type(amountField(), '9')
    expect(hint()).toBe('At least $10.00')
    expect(amountField().getAttribute('aria-invalid')).toBe('true')
    await kit.user.selectOptions(screen.getByTestId('onramp-method-select'), 'card')
    await kit.user.type(amountField(), '000')
    expect(hint()).toBe('At most $7,500.00 by card')
    await kit.user.clear(amountField())
    expect(hint()).toBe('From $10.00 to $7,500.00 by card')
  })

  it('can be selected by one press', async () => {
    const kit = await openOnramp()
    const labels = [...screen.getByRole('group', { name: 'Amounts' }).children].map(
      ({ textContent }) => textContent,
    )
    expect(labels).toEqual(['$100', '$250', '$500', '$1,000'])
    await kit.user.click(screen.getByTestId('onramp-preset-250'))
    expect(amountField().value).toBe('250')
    expect(screen.getByTestId('onramp-preset-250').getAttribute('aria-pressed')).toBe('true')
  })
})

describe('a network without sellers', () => {
  it('is labelled, and a token of another network is bought only if selected', async () => {
    const kit = await openOnramp(({ hawser }) => setActiveNetwork(hawser, devnetTwo))
    expect(screen.getByTestId('onramp-network-note').textContent).toBe(
      'Nothing can be bought on Devnet Two. You can choose a token on another network.',
    )
    expect(screen.getByTestId('onramp-token-button').textContent).toBe('Select token')
    await kit.user.click(screen.getByTestId('onramp-token-button'))
    await kit.user.click(await screen.findByTestId('onramp-token-tUSD-eip155:31337'))
    expect((await screen.findByTestId('onramp-network-note')).textContent).toBe(
      'Your tUSD will arrive on Devnet, not on Devnet Two.',
    )
  })
})

describe('the offers', () => {
  it('stand side by side, the best first and marked, with fees and what seller it is', async () => {
    await openOffers()
    const offers = screen.getAllByTestId(/^onramp-offer-(?!details)/)
    expect(offers.map((offer) => offer.dataset.testid)).toEqual(['onramp-offer-quay', 'onramp-offer-harbour'])
    const [best, other] = offers
    expect(within(best as HTMLElement).queryByText('Best')).not.toBeNull()
    expect(within(other as HTMLElement).queryByText('Best')).toBeNull()
    expect(best?.textContent).toContain('98.5 tUSD')
    expect(best?.textContent).toContain('$1.50 fees')
    expect(best?.textContent).not.toContain('Sandbox')
    expect(other?.textContent).toContain('Sandbox')
  })

  it('show their parts when expanded, the best at first', async () => {
    const kit = await openOffers()
    const [quay, harbour] = ['quay', 'harbour'].map((id) => screen.getByTestId(`onramp-provider-${id}`))
    const expanded = () => [quay, harbour].map((row) => row?.getAttribute('aria-expanded'))
    expect(expanded()).toEqual(['true', 'false'])
    expect(screen.getByTestId('onramp-continue-quay').textContent).toBe('Continue with Quay')
    await kit.user.click(harbour as HTMLElement)
    expect(expanded()).toEqual(['false', 'true'])
    expect(screen.queryByTestId('onramp-continue-quay')).toBeNull()
    await kit.user.click(quay as HTMLElement)
    const rows = [...screen.getByTestId('onramp-offer-details').children].map(
      ({ textContent }) => textContent,
    )
    expect(rows).toEqual([
      'You pay$100.00',
      'Provider fee− $1.00',
      'Network fee− $0.50',
      'For tokens$98.50',
      'You get98.5 tUSD',
      'Payment methodCard',
    ])
  })

  it('are announced once to screen readers', async () => {
    await openOffers()
    expect(screen.getByTestId('onramp-announcement').textContent).toBe(
      '2 offers. The best is 98.50 tUSD from Quay.',
    )
  })

  it('keep their place while they are looked for', async () => {
    const kit = await openOnramp(({ gateway }) => {
      gateway.onramp.quotes = () => new Promise(() => undefined)
    })
    await kit.user.type(amountField(), '100')
    expect(screen.getByTestId('onramp-announcement').textContent).toBe('Comparing offers')
    expect(screen.getByTestId('onramp-offers').querySelector('.hw-skeleton')).not.toBeNull()
  })

  it('of one seller is not marked as the best', async () => {
    await openOffers(({ gateway }) => {
      gateway.onramp.quotes = (question) => [
        sellerQuoteOf(question, { seller: 'quay', title: 'Quay', fee: '1.00', gets: '98.50' }),
      ]
    })
    expect(screen.queryByText('Best')).toBeNull()
    expect(screen.getByTestId('onramp-silent-harbour').textContent).toContain('No offers for this purchase')
  })

  it('of many sellers are not buried under those that have none', async () => {
    const [harbour] = SELLERS
    await openOffers(({ gateway }) => {
      gateway.onramp.sellers = () =>
        Array.from({ length: 9 }, (_, index) => ({ ...harbour, serviceProvider: `s${index}` }) as never)
    })
    expect(screen.getByText('9 more providers have no offer for this purchase')).toBeDefined()
  })

  it.each([
    ['ONRAMP_LIMIT', 'No provider accepts this amount.'],
    [
      'ONRAMP_UNSUPPORTED',
      'No provider sells this token for this currency. Try another token, amount or payment method.',
    ],
  ])('that are refused with %s say why', async (code, text) => {
    await openOffers(({ gateway }) => {
      gateway.onramp.quotes = () => {
        throw new Refusal(400, code, 'the amount must be at most 50 USD')
      }
    })
    expect(screen.getByTestId('onramp-notice').textContent).toBe(text)
    expect(screen.queryByText('Estimate')).toBeNull()
  })
})

describe('without an answer', () => {
  it('of the providers, the typed amount is shown as an estimate', async () => {
    const kit = await openOffers(({ gateway }) => {
      gateway.onramp.quotes = away
    })
    expect(screen.getByTestId('onramp-notice').textContent).toContain(
      'Can’t reach the providers. Try again in a moment.',
    )
    expect(screen.getByTestId('onramp-notice').textContent).not.toContain('No seller answers.')
    const row = screen.getByTestId('onramp-estimate-quay')
    expect(row.textContent).toContain('≈ $100.00')
    expect(row.textContent).toContain('Estimate')
    await kit.user.click(within(row).getByRole('button'))
    await findView('BuyInProgress')
    expect(kit.gateway.onramp.purchases[0]?.serviceProvider).toBe('quay')
  })

  it('of all providers, the estimate cannot be pressed', async () => {
    await openOffers(({ gateway }) => {
      gateway.onramp.quotes = away
      gateway.onramp.sellers = away
    })
    expect(screen.getByTestId('onramp-estimate').textContent).toContain('≈ $100.00 of tUSD')
    expect(within(screen.getByTestId('onramp-estimate')).queryByRole('button')).toBeNull()
  })

  it('offers are requested again on demand', async () => {
    let isAway = true
    const kit = await openOffers(({ gateway }) => {
      const { quotes } = gateway.onramp
      gateway.onramp.quotes = (question) => (isAway ? away() : quotes(question))
    })
    isAway = false
    await kit.user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByTestId('onramp-provider-quay')).toBeDefined()
  })

  it('about what can be bought, the usual choices are offered and said to be that', async () => {
    await openOnramp(({ gateway }) => {
      gateway.onramp.options = away
    })
    expect((await screen.findByTestId('onramp-defaults')).textContent).toContain(
      'These are the most common ones.',
    )
    // None of them is on the network in use.
    expect(screen.getByTestId('onramp-token-button').textContent).toBe('Select token')
  })
})

describe('choosing', () => {
  it('a token lists those of the active network first, and finds the others', async () => {
    const kit = await openOnramp()
    await kit.user.click(screen.getByTestId('onramp-token-button'))
    const view = await findView('OnRampTokenSelect')
    expect([...view.querySelectorAll('h3')].map(({ textContent }) => textContent)).toEqual([
      'On Devnet',
      'On other networks',
    ])
    await kit.user.type(screen.getByTestId('onramp-token-search-input'), 'ethereum')
    expect(within(view).getAllByRole('listitem')).toHaveLength(1)
    await kit.user.click(screen.getByTestId('onramp-token-USDC-eip155:1'))
    await findView('OnRampProviders')
    expect(screen.getByTestId('onramp-token-button').textContent).toContain('on Ethereum')
  })

  it('a token by the keyboard selects the first result', async () => {
    const kit = await openOnramp()
    await kit.user.click(screen.getByTestId('onramp-token-button'))
    await findView('OnRampTokenSelect')
    await kit.user.type(screen.getByTestId('onramp-token-search-input'), 'ethereum{Enter}')
    await findView('OnRampProviders')
    expect(screen.getByTestId('onramp-token-button').textContent).toContain('on Ethereum')
  })

  it('a currency changes the payment and its limits', async () => {
    const kit = await openOnramp()
    await kit.user.click(screen.getByTestId('onramp-currency-button'))
    await findView('OnRampFiatSelect')
    expect(screen.getByTestId('onramp-fiat-USD').getAttribute('aria-current')).toBe('true')
    await kit.user.click(screen.getByTestId('onramp-fiat-EUR'))
    await findView('OnRampProviders')
    expect(hint()).toBe('From €20.00 to €900.00')
    expect(screen.queryByTestId('onramp-method-select')).toBeNull()
    await kit.user.click(screen.getByTestId('onramp-currency-button'))
    await findView('OnRampFiatSelect')
    await kit.user.click(screen.getByTestId('onramp-fiat-JPY'))
    await findView('OnRampProviders')
    // Below every limit.
    expect(screen.getByRole('group', { name: 'Amounts' }).textContent).toBe('¥10,000¥25,000¥50,000¥100,000')
  })

  it('to understand it first is an event', async () => {
    const kit = await openOnramp()
    await kit.user.click(screen.getByTestId('onramp-help-button'))
    await findView('WhatIsABuy')
    expect(kit.eventNames()).toContain('SELECT_WHAT_IS_A_BUY')
    expect(screen.getByText('Buy crypto in minutes')).toBeDefined()
    await kit.user.click(screen.getByTestId('what-is-a-buy-button'))
    await findView('OnRampProviders')
  })
})

describe('without an account, or without tokens to buy', () => {
  it('offers to connect when not connected', async () => {
    const kit = renderPage(createKit())
    await showView(kit, 'OnRampProviders')
    expect(screen.getByTestId('onramp-disconnected')).toBeDefined()
  })

  it('is shown when no provider supports the network', async () => {
    await openOnramp(({ gateway }) => {
      gateway.onramp.options = () => ({
        purchaseCurrencies: [],
        paymentCurrencies: [{ id: 'USD', payment_method_limits: [] }],
      })
    })
    expect(await screen.findByTestId('onramp-nothing')).toBeDefined()
  })
})

describe('the way there', () => {
  it('is an action of the account, unless the site is against it', async () => {
    const kit = await renderConnected()
    await showView(kit, 'Account')
    await kit.user.click(screen.getByTestId('wallet-features-onramp-button'))
    await findView('OnRampProviders')
  })

  it('is the first step of an account without tokens', async () => {
    const connected = await createConnectedKit()
    connected.gateway.balances = []
    const kit = await renderConnected({}, connected)
    await showView(kit, 'Account')
    await kit.user.click(await screen.findByTestId('buy-crypto'))
    await findView('OnRampProviders')
  })

  it('is offered when the balance is insufficient', async () => {
    const kit = await renderConnected()
    await showView(kit, 'Account')
    await kit.user.click(await screen.findByTestId(`token-${ETHER.symbol}`))
    await findView('WalletSend')
    await kit.user.type(screen.getByTestId('send-amount-input'), '2')
    await kit.user.click(await screen.findByTestId('send-buy-button'))
    await findView('OnRampProviders')
    await waitFor(() => expect(kit.hawser.onramp.getState().token?.symbol).toBe('ETH'))
  })

  it('is nowhere in a time zone that the site restricts', async () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    const kit = await renderConnected({ restrictedTimezones: [timeZone] })
    await showView(kit, 'Account')
    expect(screen.queryByTestId('wallet-features-onramp-button')).toBeNull()
    act(() => kit.hawser.options.setState({ restrictedTimezones: [] }))
    expect(screen.getByTestId('wallet-features-onramp-button')).toBeDefined()
  })
})
