// @vitest-environment jsdom
import { fetchTokenBalance, selectAccount, setActiveNetwork } from '@hawser/core'
import {
  DOLLAR,
  devnetTwo,
  ETHER,
  type Kit,
  quoteOf,
  Refusal,
  requestsFor,
  updateAccount,
} from '@hawser/core/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { findView, renderPage, showView } from '../../testing/openKit.tsx'
import { action, bought, halfAnEther, openQuotedSwap, openSwap, sold } from '../../testing/openSwap.tsx'

describe('the form', () => {
  it('says what is missing, the first thing first', async () => {
    const kit = await openSwap()
    expect(action().textContent).toBe('Select token')
    await kit.user.click(screen.getByTestId('swap-select-token-button-toToken'))
    await findView('SwapSelectToken')
    await kit.user.click(screen.getByTestId('swap-select-token-item-tUSD'))
    await findView('Swap')
    expect(action().textContent).toBe('Enter amount')
    await kit.user.type(sold(), '0')
    expect(action().textContent).toBe('Incorrect value')
    await kit.user.type(sold(), '.5')
    expect(action().textContent).toBe('Review swap')
    expect(action().disabled).toBe(true)
    await kit.advance(200)
    await waitFor(() => expect(action().disabled).toBe(false))
    await kit.user.clear(sold())
    await kit.user.click(sold())
    await kit.user.paste('1.000000000000000001')
    expect(action().textContent).toBe('Insufficient balance')
  })

  it('keeps an amount whole, and swaps none that cannot be read', async () => {
    const kit = await openSwap(halfAnEther)
    await kit.user.clear(sold())
    await kit.user.type(sold(), '-0,2e.3x')
    expect(sold().value).toBe('-0,2e.3x')
    expect(screen.getByText('Incorrect value')).toBeDefined()
    expect(screen.queryByText(/NaN/)).toBeNull()
    await kit.user.clear(sold())
    await kit.user.paste('0,25')
    expect(kit.hawser.swap.getState().sourceTokenAmount).toBe('0.25')
  })

  it('shows what the quote pays to the last digit, with its digits grouped', async () => {
    await openQuotedSwap(({ gateway }) => {
      gateway.conversions.quote = (question) => ({ ...quoteOf(question), toAmount: '1234567890123' })
    })
    expect(bought().textContent).toBe('1,234,567.890123')
    expect(screen.getByTestId('swap-rate').textContent).toContain('1 ETH =')
  })

  it('shows a large price impact beside the value', async () => {
    await openQuotedSwap(({ gateway }) => {
      gateway.conversions.quote = (question) => ({ ...quoteOf(question), priceImpact: 4.5 })
    })
    expect(screen.getByTestId('swap-loss').textContent).toBe('−4.5%')
    expect(screen.getByTestId('swap-loss').dataset.tone).toBe('high')
    expect(screen.queryByTestId('swap-loss-severe')).toBeNull()
    expect(action().textContent).toBe('Review swap')
  })

  it('says in one red banner what is lost above 5 percent, and asks for a review anyway', async () => {
    await openQuotedSwap(({ gateway }) => {
      gateway.conversions.quote = (question) => ({ ...quoteOf(question), priceImpact: 17.88 })
    })
    expect(screen.getByTestId('swap-loss-severe').textContent).toBe('This swap moves the price by 17.88%.')
    expect(screen.queryByTestId('swap-loss')).toBeNull()
    expect(action().textContent).toBe('Review anyway')
  })

  it('shows a loss against the market price in the same banner', async () => {
    await openQuotedSwap(({ gateway }) => {
      gateway.conversions.quote = (question) => ({ ...quoteOf(question), toAmount: '330000000' })
    })
    expect(screen.getByTestId('swap-loss-severe').textContent).toBe(
      'What you buy is worth 67% less than what you sell.',
    )
    expect(screen.getByTestId('swap-rate').textContent).not.toContain('$')
  })

  it('does not speak of a price impact that is small', async () => {
    await openQuotedSwap(({ gateway }) => {
      gateway.conversions.quote = (question) => ({ ...quoteOf(question), priceImpact: 0.2 })
    })
    expect(screen.queryByTestId('swap-loss')).toBeNull()
  })

  it('keeps the place of the quote while it is looked for, and says so', async () => {
    await openSwap(halfAnEther, ({ gateway }) => {
      gateway.conversions.quote = () => new Promise(() => undefined)
    })
    expect(screen.getByTestId('swap-announcement').textContent).toBe('Looking for the best price')
    expect(bought().querySelector('.hw-skeleton')).not.toBeNull()
  })

  it('is said once to those who hear the page, however often blocks change it', async () => {
    const kit = await openQuotedSwap()
    const said = () => screen.getByTestId('swap-announcement').textContent
    expect(said()).toBe('You get 1,000 tUSD')
    kit.gateway.conversions.quote = (question) => ({ ...quoteOf(question), toAmount: '1001000000' })
    await kit.advance(10_000)
    await waitFor(() => expect(bought().textContent).toBe('1,001'))
    expect(said()).toBe('You get 1,000 tUSD')
    await kit.user.type(sold(), '1')
    await kit.advance(200)
    await waitFor(() => expect(said()).toBe('You get 1,001 tUSD'))
  })

  it('continues with Enter when it is complete', async () => {
    const kit = await openQuotedSwap()
    await kit.user.type(sold(), '{Enter}')
    await findView('SwapPreview')
  })

  it('turns around', async () => {
    const kit = await openQuotedSwap(undefined, { ...halfAnEther, amount: '0.005' })
    await kit.user.click(screen.getByTestId('swap-switch-button'))
    await kit.advance(200)
    await waitFor(() => expect(bought().textContent).toBe('0.005'))
    expect(sold().value).toBe('10')
    expect(screen.getByTestId('swap-select-token-button-sourceToken').textContent).toContain('tUSD')
  })

  it('leads to buying more where there is too little', async () => {
    const kit = await openSwap({ ...halfAnEther, amount: '5' })
    await kit.user.click(screen.getByTestId('swap-buy-button'))
    await findView('OnRampProviders')
    await waitFor(() => expect(kit.hawser.onramp.getState().token?.symbol).toBe('ETH'))
  })

  it('fills in all there is after gas', async () => {
    const kit = await openSwap({ toToken: 'tUSD' })
    await kit.user.click(screen.getByTestId('swap-max-button'))
    await waitFor(() => expect(sold().value).toBe('0.9995'))
  })

  it.each([
    ['ROUTE_ABSENT', 'No route between these tokens', /no route between/],
    ['LIQUIDITY_INSUFFICIENT', 'Insufficient liquidity', /enough liquidity/],
    ['AMOUNT_INVALID', 'Amount too small', /too small/],
    ['TOKEN_TAKES_FEE', 'Token takes a fee', /charges a fee/],
    ['TRANSACTION_REVERTS', 'This swap would fail', /simulation of this swap failed/],
  ])('tells %s apart', async (code, label, reason) => {
    await openSwap(halfAnEther, ({ gateway }) => {
      gateway.conversions.quote = () => {
        throw new Refusal(400, code)
      }
    })
    await waitFor(() => expect(action().textContent).toBe(label))
    expect(action().disabled).toBe(true)
    expect(screen.getByTestId('swap-notice').textContent).toMatch(reason)
  })

  it('asks again when the gateway was away', async () => {
    let isAway = true
    const kit = await openSwap(halfAnEther, ({ gateway }) => {
      gateway.conversions.quote = (question) => {
        if (isAway) throw new Refusal(503, 'SERVICE_UNAVAILABLE')
        return quoteOf(question)
      }
    })
    await waitFor(() => expect(action().textContent).toBe('Quote unavailable'))
    isAway = false
    await kit.user.click(within(screen.getByTestId('swap-notice')).getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(action().disabled).toBe(false))
  })

  it('offers networks that have swaps where the one in use has none', async () => {
    await openSwap({}, ({ hawser }) => setActiveNetwork(hawser, devnetTwo))
    expect(screen.getByText('Network not supported for Swaps')).toBeDefined()
    expect(screen.getByText(/doesn’t support your current network/)).toBeDefined()
    await screen.findByTestId('w3m-network-switch-Devnet')
    expect(screen.queryByTestId('w3m-network-switch-Devnet Two')).toBeNull()
  })

  it('sends a visitor without a wallet to connect one', async () => {
    const kit = renderPage()
    await showView(kit, 'Swap')
    await kit.user.click(
      within(screen.getByTestId('swap-disconnected')).getByRole('button', { name: 'Connect wallet' }),
    )
    await findView('Connect')
  })

  it('says so when the tokens cannot be read, and tries again', async () => {
    let isAway = true
    const kit = await openSwap({}, ({ gateway }) => {
      const { tokens } = gateway.conversions
      gateway.conversions.tokens = (...question) => {
        if (isAway) throw new Refusal(503, 'SERVICE_UNAVAILABLE')
        return tokens(...question)
      }
    })
    expect(screen.getByTestId('swap-unreachable').textContent).toContain('Swaps unavailable')
    isAway = false
    await kit.user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByTestId('swap-action-button')
  })
})

describe('a hidden tab', () => {
  afterEach(() => void Reflect.deleteProperty(document, 'hidden'))

  function hide(hidden: boolean) {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
  }

  it('asks for no quotes, and at once for a new one when the visitor comes back', async () => {
    const kit = await openQuotedSwap()
    hide(true)
    const asked = requestsFor(kit, '/ListQuotes ').length
    await kit.advance(60_000)
    expect(requestsFor(kit, '/ListQuotes ')).toHaveLength(asked)
    expect(action().textContent).toBe('Refresh quote')
    hide(false)
    await waitFor(() => expect(requestsFor(kit, '/ListQuotes ')).toHaveLength(asked + 1))
    await waitFor(() => expect(action().textContent).toBe('Review swap'))
  })
})

describe('what is behind a quote', () => {
  it('is all there: impact, minimum, fees, source, distance from the optimum, pools', async () => {
    const kit = await openQuotedSwap()
    await kit.user.click(screen.getByTestId('swap-details'))
    const row = (name: string) => screen.getByTestId(`swap-${name}`).textContent?.replaceAll('\u00a0', ' ')
    expect(row('price-impact')).toContain('0.12%')
    expect(row('minimum')).toContain('990 tUSD')
    expect(row('network-fee')).toContain('0.00015 ETH')
    expect(row('provider-fee')).toContain('None')
    expect(row('source')).toContain('on-chain pools')
    expect(row('bound')).toContain('within 0.0006%')
    expect(row('block')).toBe('Block 17')
  })

  it('lists the other offers, and why a source has none', async () => {
    const kit = await openQuotedSwap(({ gateway }) => {
      gateway.conversions.quote = (question) => ({
        ...quoteOf(question),
        offers: [
          { source: '1inch', toAmount: '999500000', reason: '' },
          { source: '0x', toAmount: '', reason: 'no answer in time' },
        ],
      })
    })
    await kit.user.click(screen.getByTestId('swap-details'))
    expect(screen.getByTestId('swap-offer-1inch').textContent).toContain('999.5')
    expect(screen.getByTestId('swap-offer-0x').textContent).toContain('no answer in time')
  })

  it('shows the route as a picture and as text', async () => {
    await openQuotedSwap()
    const route = within(screen.getByTestId('swap-route'))
    expect(route.getAllByRole('listitem', { hidden: true }).map((item) => item.textContent)).toEqual([
      '70%: ETH to tUSD in Uniswap v3, fee 0.05%',
      '30%: ETH to GOLD in Uniswap v2, fee 0.3%, GOLD to tUSD in Uniswap v2, fee 0.3%',
    ])
  })

  it('draws the larger shares first, with the symbols of the tokens', async () => {
    await openQuotedSwap(({ gateway }) => {
      gateway.conversions.quote = (question) => {
        const { route, ...quote } = quoteOf(question)
        return { ...quote, route: [...(route ?? [])].reverse() }
      }
    })
    const route = screen.getByTestId('swap-route')
    const shares = [...route.querySelectorAll('.hw-route-share')].map(({ textContent }) => textContent)
    expect(shares).toEqual(['70%', '30%'])
    const symbols = [...route.querySelectorAll('.hw-route-token')].map(({ textContent }) => textContent)
    expect(symbols).toEqual(['ETH', 'tUSD', 'ETH', 'GOLD', 'tUSD'])
  })

  it('follows the tolerance that is chosen, to the unit', async () => {
    const kit = await openQuotedSwap()
    await kit.user.click(screen.getByTestId('swap-slippage-button'))
    await kit.user.click(screen.getByTestId('swap-slippage-10'))
    expect(screen.getByTestId('swap-minimum').textContent).toContain('999')
    const custom = screen.getByTestId<HTMLInputElement>('swap-slippage-custom')
    await kit.user.type(custom, '60')
    expect(custom.getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByText('Between 0.01 and 50 percent')).toBeDefined()
    await kit.user.clear(custom)
    await kit.user.click(custom)
    await kit.user.paste('1,000')
    expect(custom.getAttribute('aria-invalid')).toBe('true')
    await kit.user.clear(custom)
    await kit.user.type(custom, '5')
    expect(screen.getByTestId('swap-minimum').textContent).toContain('950')
    expect(screen.getByText('You may receive much less than quoted.')).toBeDefined()
  })
})

describe('the tokens to choose from', () => {
  const openChoice = async (prepare?: (kit: Kit) => void) => {
    const kit = await openSwap(halfAnEther, prepare)
    await kit.user.click(screen.getByTestId('swap-select-token-button-toToken'))
    await findView('SwapSelectToken')
    return kit
  }

  it('are those of the account first, then the others; the pair itself cannot be chosen', async () => {
    await openChoice()
    const list = (name: string) =>
      within(screen.getByRole('list', { name })).getAllByRole<HTMLButtonElement>('button')
    await waitFor(() => expect(list('Your tokens').map((row) => row.disabled)).toEqual([true, true]))
    expect(list('Tokens').map((row) => row.textContent)).toEqual(['GOLDGoldGOLD'])
  })

  it('are in the order in which the account lists them', async () => {
    await openChoice(({ gateway }) => {
      gateway.balances = [DOLLAR, ETHER]
    })
    const own = await screen.findByRole('list', { name: 'Your tokens' })
    expect(
      within(own)
        .getAllByRole('button')
        .map(({ dataset }) => dataset.testid),
    ).toEqual(['swap-select-token-item-tUSD', 'swap-select-token-item-ETH'])
  })

  it('keeps its rows in place when balances arrive', async () => {
    const kit = await openSwap({}, ({ gateway }) => {
      gateway.balances = [ETHER]
    })
    await kit.user.click(screen.getByTestId('swap-select-token-button-toToken'))
    await findView('SwapSelectToken')
    const row = await screen.findByTestId('swap-select-token-item-tUSD')
    kit.gateway.balances = [ETHER, DOLLAR]
    await act(() => fetchTokenBalance(kit.hawser, { forceUpdate: [] }))
    expect(kit.hawser.chain.getState()).toSatisfy((state) => selectAccount(state).tokenBalance.length === 2)
    expect(screen.getByTestId('swap-select-token-item-tUSD')).toBe(row)
  })

  it('waits for balances before it shows its rows, a second at most', async () => {
    const kit = await openSwap({}, ({ hawser, gateway }) => {
      updateAccount(hawser.chain, 'eip155', { tokenBalance: [], tokenBalanceLoaded: false })
      Object.assign(gateway, { balances: new Promise(() => undefined) })
    })
    await kit.user.click(screen.getByTestId('swap-select-token-button-toToken'))
    await findView('SwapSelectToken')
    expect(screen.queryByTestId('swap-select-token-item-tUSD')).toBeNull()
    await kit.advance(1_000)
    expect(screen.getByTestId('swap-select-token-item-tUSD')).toBeDefined()
  })

  it('are found by name, symbol and address', async () => {
    const kit = await openChoice()
    await kit.user.type(screen.getByRole('searchbox'), '0x5fbdb')
    expect(screen.queryByTestId('swap-select-token-item-GOLD')).toBeNull()
    expect(screen.getByTestId('swap-select-token-item-tUSD')).toBeDefined()
    await kit.user.clear(screen.getByRole('searchbox'))
    await kit.user.type(screen.getByRole('searchbox'), 'nothing')
    expect(screen.getByText('No tokens found')).toBeDefined()
  })

  it('are found by address when they are on no list, with a warning', async () => {
    const address = `0x${'12'.repeat(20)}`
    const kit = await openChoice(({ gateway }) => {
      const { tokens } = gateway.conversions
      gateway.conversions.tokens = (chainId, asked) =>
        asked === address
          ? [
              {
                name: 'New',
                symbol: 'NEW',
                address: `eip155:31337:${address}`,
                decimals: 9,
                eip2612: false,
              },
            ]
          : tokens(chainId, asked)
    })
    await kit.user.click(screen.getByRole('searchbox'))
    await kit.user.paste(address)
    expect((await screen.findByTestId('swap-select-token-item-NEW')).textContent).toContain(
      'Not on a token list',
    )
  })
})
