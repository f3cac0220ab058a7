import { afterEach, describe, expect, it, vi } from 'vitest'
import { setActiveNetwork } from '../chain/activeNetwork.ts'
import { disconnect } from '../connection/disconnect.ts'
import { buying } from '../testing/buying.ts'
import { Refusal } from '../testing/connectRouter.ts'
import { settle } from '../testing/fakeClock.ts'
import { quoteOf } from '../testing/fakeOnramp.ts'
import { deferred } from '../testing/fakeWallet.ts'
import { createConnectedKit, devnet, devnetTwo, type Kit } from '../testing/kit.ts'
import { DOLLAR_ADDRESS } from '../testing/tokens.ts'
import type { PaymentCurrency } from '../types/onramp.ts'
import type { HawserOptions } from '../types/options.ts'
import { buyLimits, buyReadiness, currencyDigits } from './amount.ts'
import { isOnrampOffered, RESTRICTED_TIMEZONES } from './availability.ts'
import { MOCKED_QUOTE_ID } from './defaults.ts'
import { openOnramp, selectBuyCurrency, selectBuyMethod, selectBuyToken, setBuyAmount } from './edit.ts'
import { currentBuyQuotes } from './quotes.ts'
import { regionOf } from './region.ts'
import { watchOnramp } from './watchOnramp.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const stateOf = ({ hawser }: Kit) => hawser.onramp.getState()
const readiness = (kit: Kit) => buyReadiness(stateOf(kit))
const quotes = (kit: Kit) => currentBuyQuotes(stateOf(kit))
const away = () => {
  throw new Refusal(503, 'ONRAMP_UNAVAILABLE', 'no seller answers')
}

describe('what can be bought', () => {
  it('is each token on each network of the active namespace, those of the active network first', async () => {
    const kit = await buying()
    expect(stateOf(kit).tokens.map(({ symbol, networkName }) => `${symbol} on ${networkName}`)).toEqual([
      'tUSD on Devnet',
      'ETH on Devnet',
      'USDC on Ethereum',
    ])
    expect(stateOf(kit).token?.symbol).toBe('tUSD')
    expect(stateOf(kit).isDefault).toBe(false)
  })

  it('is the built-in list, marked as such, when the gateway does not answer', async () => {
    const kit = await buying(({ gateway }) => {
      gateway.onramp.options = away
    })
    expect(stateOf(kit).isDefault).toBe(true)
    expect(stateOf(kit).tokens.map(({ symbol, chainId, contract }) => [symbol, chainId, contract])).toEqual([
      ['USDC', 'eip155:1', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'],
      ['USDC', 'eip155:137', '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174'],
      ['ETH', 'eip155:1', ''],
    ])
    const [usdc, , ether] = stateOf(kit).tokens
    expect(usdc?.id).not.toBe(ether?.id)
    expect(stateOf(kit).currencies.map(({ id }) => id)).toEqual(['USD', 'EUR'])
    for (const { paymentMethodLimits } of stateOf(kit).currencies) {
      expect(paymentMethodLimits).toEqual([
        { id: 'card', min: '10.00', max: '7500.00' },
        { id: 'ach_bank_account', min: '10.00', max: '25000.00' },
      ])
    }
  })

  it('is sold by the providers of the active namespace', async () => {
    const kit = await buying()
    expect(stateOf(kit).sellers.map(({ title }) => title)).toEqual(['Harbour Pay', 'Quay'])
  })

  it('begins with what it was opened with', async () => {
    const kit = await createConnectedKit()
    openOnramp(kit.hawser, { token: 'eth', amount: '42', currency: 'eur' })
    watchOnramp(kit.hawser)
    await settle()
    expect(stateOf(kit)).toMatchObject({ amount: '42', token: { symbol: 'ETH' }, currency: { id: 'EUR' } })
    expect(kit.events.at(-2)).toEqual({
      event: 'SELECT_BUY_CRYPTO',
      properties: { network: 'eip155:31337', isSmartAccount: false },
    })
  })

  it('keeps what the visitor chose when the views change', async () => {
    const kit = await buying()
    const [, ether] = stateOf(kit).tokens
    selectBuyToken(kit.hawser, ether as never)
    kit.stop()
    watchOnramp(kit.hawser)
    await settle()
    expect(stateOf(kit).token?.symbol).toBe('ETH')
    expect(stateOf(kit).amount).toBe('100')
  })

  it('follows the visitor to another network', async () => {
    const kit = await buying()
    setActiveNetwork(kit.hawser, devnetTwo)
    await settle()
    expect(stateOf(kit).owner).toContain('31338')
    expect(stateOf(kit).token).toBeUndefined()
    expect(readiness(kit)).toBe('selectToken')
    setActiveNetwork(kit.hawser, devnet)
    await settle()
    expect(stateOf(kit).token).toMatchObject({ symbol: 'tUSD', chainId: 'eip155:31337' })
  })

  it('is never of another network than the one in use, unless the visitor chose so', async () => {
    const kit = await createConnectedKit()
    setActiveNetwork(kit.hawser, devnetTwo)
    openOnramp(kit.hawser, { token: 'ETH' })
    watchOnramp(kit.hawser)
    await settle()
    expect(stateOf(kit).token).toBeUndefined()
    openOnramp(kit.hawser, { token: DOLLAR_ADDRESS })
    watchOnramp(kit.hawser)
    await settle()
    expect(stateOf(kit).token).toMatchObject({ symbol: 'tUSD', chainId: 'eip155:31337' })
  })

  it('is not the built-in list of another network when the gateway cannot be reached', async () => {
    const kit = await buying(({ gateway }) => {
      gateway.onramp.options = away
    })
    expect(stateOf(kit)).toMatchObject({ isDefault: true, token: undefined })
  })

  it('is empty, without a request, on a network that the gateway does not serve', async () => {
    const kit = await buying(({ gateway }) => {
      gateway.served = ['eip155:31338']
    })
    expect(stateOf(kit)).toMatchObject({ isLoaded: true, isDefault: false, tokens: [] })
    expect(readiness(kit)).toBe('unsupported')
    expect(kit.gateway.requests.filter((request) => request.includes('/GetOptions '))).toEqual([])
  })
})

describe('an amount', () => {
  it.each([
    ['', 'enterAmount'],
    ['.', 'incorrectValue'],
    ['0', 'incorrectValue'],
    ['10.001', 'incorrectValue'],
    ['9.99', 'belowLimit'],
    ['10', 'ready'],
    ['25000.00', 'ready'],
    ['25000.01', 'aboveLimit'],
    ['99999999999999999999.99', 'aboveLimit'],
  ])('of "%s" dollars is %s', async (amount, expected) => {
    const kit = await buying()
    setBuyAmount(kit.hawser, amount)
    expect(readiness(kit)).toBe(expected)
  })

  it('is bounded by how it is paid', async () => {
    const kit = await buying()
    setBuyAmount(kit.hawser, '8000')
    expect(readiness(kit)).toBe('ready')
    selectBuyMethod(kit.hawser, 'card')
    expect(readiness(kit)).toBe('aboveLimit')
    expect(buyLimits(stateOf(kit))).toEqual({ min: '10.00', max: '7500.00' })
  })

  it('has as many decimal places as its currency', async () => {
    expect([currencyDigits('USD'), currencyDigits('JPY'), currencyDigits('KWD')]).toEqual([2, 0, 3])
    const kit = await buying()
    selectBuyCurrency(kit.hawser, stateOf(kit).currencies[2] as PaymentCurrency)
    setBuyAmount(kit.hawser, '2000.5')
    expect(readiness(kit)).toBe('incorrectValue')
    setBuyAmount(kit.hawser, '2000')
    expect(readiness(kit)).toBe('ready')
  })

  it('drops a way of paying that another currency does not have', async () => {
    const kit = await buying()
    selectBuyMethod(kit.hawser, 'ach_bank_account')
    selectBuyCurrency(kit.hawser, stateOf(kit).currencies[1] as PaymentCurrency)
    expect(stateOf(kit).method).toBeUndefined()
    expect(buyLimits(stateOf(kit))).toEqual({ min: '20.00', max: '900.00' })
  })
})

describe('quotes', () => {
  it('are those of all sellers, the best first, with amounts as they were sent', async () => {
    const kit = await buying()
    expect(quotes(kit).map(({ title, purchaseAmount }) => [title, purchaseAmount.amount])).toEqual([
      ['Quay', '98.50'],
      ['Harbour Pay', '97.50'],
    ])
    expect(kit.gateway.onramp.questions).toEqual([
      expect.objectContaining({
        destinationCurrencyCode: 'tUSD',
        chainId: 'eip155:31337',
        sourceAmount: '100',
        sourceCurrencyCode: 'USD',
        walletAddress: expect.stringMatching(/^0x/),
      }),
    ])
  })

  it('are compared as numbers of any size, not as texts and not as floats', async () => {
    const kit = await buying(({ gateway }) => {
      gateway.onramp.quotes = (question) => [
        quoteOf(question, { seller: 'a', title: 'A', fee: '1', gets: '9.000000000000000001' }),
        quoteOf(question, { seller: 'b', title: 'B', fee: '1', gets: '10' }),
        quoteOf(question, { seller: 'c', title: 'C', fee: '1', gets: '9.000000000000000002' }),
      ]
    })
    expect(quotes(kit).map(({ title }) => title)).toEqual(['B', 'C', 'A'])
  })

  it('are requested once typing stops', async () => {
    const kit = await buying()
    setBuyAmount(kit.hawser, '20')
    await kit.clock.advance(399)
    setBuyAmount(kit.hawser, '200')
    await kit.clock.advance(399)
    expect(stateOf(kit).isQuoting).toBe(true)
    expect(quotes(kit)).toEqual([])
    await kit.clock.advance(1)
    expect(kit.gateway.onramp.questions.map(({ sourceAmount }) => sourceAmount)).toEqual(['100', '200'])
  })

  it('of an older request are dropped', async () => {
    const kit = await buying()
    const late = deferred<[]>()
    const { quotes: answer } = kit.gateway.onramp
    kit.gateway.onramp.quotes = (question) =>
      question.sourceAmount === '200' ? late.promise : answer(question)
    setBuyAmount(kit.hawser, '200')
    await kit.clock.advance(400)
    setBuyAmount(kit.hawser, '300')
    await kit.clock.advance(400)
    late.resolve([])
    await settle()
    expect(quotes(kit)).toHaveLength(2)
    expect(quotes(kit)[0]?.paymentTotal.amount).toBe('300')
  })

  it('are kept fresh while they are looked at, and no longer', async () => {
    const kit = await buying()
    await kit.clock.advance(15_000)
    expect(kit.gateway.onramp.questions).toHaveLength(2)
    kit.stop()
    await kit.clock.advance(60_000)
    expect(kit.gateway.onramp.questions).toHaveLength(2)
  })

  it('are not requested by a hidden tab', async () => {
    const page = Object.assign(new EventTarget(), { hidden: true })
    vi.stubGlobal('document', page)
    const kit = await buying()
    expect(kit.gateway.onramp.questions).toEqual([])
    page.hidden = false
    page.dispatchEvent(new Event('visibilitychange'))
    await settle()
    expect(kit.gateway.onramp.questions).toHaveLength(1)
  })

  it('are one estimate with the typed amount when no provider can be reached', async () => {
    const kit = await buying(({ gateway }) => {
      gateway.onramp.quotes = away
    })
    const money = { amount: '100', currency: 'USD' }
    expect(quotes(kit)).toEqual([
      expect.objectContaining({
        quoteId: MOCKED_QUOTE_ID,
        isEstimate: true,
        seller: undefined,
        paymentTotal: money,
        paymentSubtotal: money,
        providerFee: money,
        networkFee: money,
        purchaseAmount: money,
      }),
    ])
    expect(stateOf(kit).problem).toBe('unavailable')
  })

  it('outlive a gateway that is away for a moment', async () => {
    const kit = await buying()
    kit.gateway.onramp.quotes = away
    await kit.clock.advance(15_000)
    expect(quotes(kit).map(({ isEstimate }) => isEstimate)).toEqual([false, false])
    expect(stateOf(kit).problem).toBe('unavailable')
  })

  it.each([
    ['ONRAMP_LIMIT', 'limit'],
    ['ONRAMP_UNSUPPORTED', 'unsupported'],
    ['ADDRESS_INVALID', 'unsupported'],
  ])('that are refused with %s are not made up', async (code, problem) => {
    const kit = await buying(({ gateway }) => {
      gateway.onramp.quotes = () => {
        throw new Refusal(400, code, 'why')
      }
    })
    expect(quotes(kit)).toEqual([])
    expect(stateOf(kit).problem).toBe(problem)
  })

  it('are cleared with the account', async () => {
    const kit = await buying()
    await disconnect(kit.hawser)
    await settle()
    expect(quotes(kit)).toEqual([])
    expect(stateOf(kit).owner).toBeUndefined()
  })
})

describe('the region of the visitor', () => {
  const options = (onrampCountry?: string) => ({ onrampCountry }) as never

  it.each([
    ['us-ny', { country: 'US', subdivision: 'NY' }],
    ['DE-BE', { country: 'DE' }],
    ['FR', { country: 'FR' }],
    ['nowhere', {}],
  ])('is what the site says: %s', (country, expected) => {
    expect(regionOf(options(country))).toEqual(expected)
  })

  it.each([
    ['de-CH', { country: 'CH' }],
    ['de', {}],
  ])('is the region of the browser otherwise: %s', (language, expected) => {
    vi.stubGlobal('navigator', { language })
    expect(regionOf(options())).toEqual(expected)
  })
})

describe('buying is offered', () => {
  async function offered(options: Partial<HawserOptions>, timezone: string) {
    const { hawser } = await createConnectedKit(options)
    return isOnrampOffered(
      hawser.options.getState(),
      hawser.chain.getState(),
      hawser.served.getState(),
      timezone,
    )
  }

  it('everywhere unless the site says otherwise', async () => {
    expect(await offered({}, 'Asia/Shanghai')).toBe(true)
    expect(await offered({ features: { onramp: false } }, 'Europe/Paris')).toBe(false)
    expect(await offered({ restrictedTimezones: RESTRICTED_TIMEZONES }, 'Asia/Hong_Kong')).toBe(false)
    expect(await offered({ restrictedTimezones: RESTRICTED_TIMEZONES }, 'Europe/Paris')).toBe(true)
  })
})
