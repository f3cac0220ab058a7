import type { WatchQuoteResponseJson } from '@hawser/client/convert'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../testing/connectRouter.ts'
import { settle } from '../testing/fakeClock.ts'
import { DOLLAR_ID, GOLD_ID, quoteOf } from '../testing/fakeConversions.ts'
import { openStream } from '../testing/fakeGateway.ts'
import { deferred } from '../testing/fakeWallet.ts'
import { readinessOf, requestsFor, swapping, typeAmount } from '../testing/swapping.ts'
import { ETHER_ID } from '../testing/tokens.ts'
import { currentQuote, toTokenAmount } from './amounts.ts'
import { selectSwapToken, setSwapAmount, switchSwapTokens } from './edit.ts'
import { fillMaxSwapAmount } from './max.ts'

const toDollars = { toToken: 'tUSD' }

describe('a request for a quote', () => {
  it('is sent once, 200 ms after the last key stroke', async () => {
    const kit = await swapping(toDollars)
    for (const text of ['0.', '0.4', '0.45', '0.5']) {
      setSwapAmount(kit.hawser, text)
      await kit.clock.advance(100)
    }
    expect(requestsFor(kit, '/ListQuotes ')).toHaveLength(0)
    await kit.clock.advance(200)
    const [asked, ...more] = requestsFor(kit, '/ListQuotes ')
    expect(more).toEqual([])
    expect(asked).toContain(`"amount":"500000000000000000","from":"${ETHER_ID}","to":"${DOLLAR_ID}"`)
    expect(asked).toContain('"slippageBps":100')
    expect(asked).toContain('"spender":"any"')
    expect(toTokenAmount(kit.hawser.swap.getState())).toBe('1000')
    expect(readinessOf(kit)).toBe('ready')
  })

  it('is not repeated for the same amount written differently', async () => {
    const kit = await swapping(toDollars)
    await typeAmount(kit, '0.5')
    await typeAmount(kit, '0.500')
    expect(requestsFor(kit, '/ListQuotes ')).toHaveLength(1)
  })

  it('is exact for amounts that no floating point number holds', async () => {
    const kit = await swapping(toDollars, ({ gateway }) => {
      gateway.conversions.quote = (question) => ({
        ...quoteOf(question),
        toAmount: '123456789012345678901234567890123',
      })
    })
    await typeAmount(kit, '0.123456789012345678')
    expect(requestsFor(kit, '/ListQuotes ')[0]).toContain('"amount":"123456789012345678"')
    expect(toTokenAmount(kit.hawser.swap.getState())).toBe('123456789012345678901234567.890123')
  })

  it('is not sent without a pair or an amount', async () => {
    const kit = await swapping({ amount: '0.5' })
    expect(readinessOf(kit)).toBe('selectToken')
    await typeAmount(kit, '')
    selectSwapToken(kit.hawser, 'toToken', { ...kit.hawser.swap.getState().tokens[2] } as never)
    await kit.clock.advance(200)
    expect(readinessOf(kit)).toBe('enterAmount')
    await typeAmount(kit, '0.')
    expect(readinessOf(kit)).toBe('incorrectValue')
    await typeAmount(kit, '0.0000000000000000001')
    expect(readinessOf(kit)).toBe('incorrectValue')
    expect(requestsFor(kit, '/ListQuotes ')).toHaveLength(0)
  })

  it('says that the wallet makes batches, so that several routers may be used', async () => {
    const kit = await swapping(toDollars, ({ wallet }) => {
      wallet.answers.wallet_getCapabilities = () => ({ '0x7a69': { atomic: { status: 'supported' } } })
    })
    await typeAmount(kit, '0.5')
    expect(requestsFor(kit, '/ListQuotes ')[0]).toContain('"batch":true')
  })
})

describe('a late quote', () => {
  it('never overwrites a newer one', async () => {
    const answers = [deferred<void>(), deferred<void>()]
    let asked = 0
    const kit = await swapping(toDollars, ({ gateway }) => {
      gateway.conversions.quote = async (question) => {
        const answer = answers[asked]
        asked += 1
        await answer?.promise
        return quoteOf(question)
      }
    })
    await typeAmount(kit, '0.1')
    await typeAmount(kit, '0.2')
    answers[1]?.resolve()
    await settle()
    expect(toTokenAmount(kit.hawser.swap.getState())).toBe('400')
    answers[0]?.resolve()
    await settle()
    expect(toTokenAmount(kit.hawser.swap.getState())).toBe('400')
    expect(currentQuote(kit.hawser.swap.getState())?.fromAmount).toBe(2n * 10n ** 17n)
  })

  it('is not used for the current input', async () => {
    const kit = await swapping(toDollars)
    await typeAmount(kit, '0.1')
    setSwapAmount(kit.hawser, '0.2')
    expect(toTokenAmount(kit.hawser.swap.getState())).toBe('')
    expect(readinessOf(kit)).toBe('quoting')
  })
})

describe('a quote that is shown', () => {
  it('is requested again every 10 seconds where none is streamed', async () => {
    const kit = await swapping(toDollars)
    await typeAmount(kit, '0.5')
    await kit.clock.advance(30_000)
    expect(requestsFor(kit, '/ListQuotes ')).toHaveLength(4)
    kit.stop()
    await kit.clock.advance(60_000)
    expect(requestsFor(kit, '/ListQuotes ')).toHaveLength(4)
  })

  it('is updated by the stream without requests', async () => {
    const stream = openStream<WatchQuoteResponseJson>()
    const kit = await swapping(toDollars, ({ gateway }) => {
      gateway.watchQuote = () => stream.body
    })
    await typeAmount(kit, '0.5')
    const question = { amount: '500000000000000000', from: ETHER_ID, to: DOLLAR_ID }
    stream.send({ block: '18', quote: { ...quoteOf(question), toAmount: '1001000000', block: '18' } })
    await settle()
    expect(toTokenAmount(kit.hawser.swap.getState())).toBe('1001')
    expect(kit.hawser.swap.getState().isLive).toBe(true)
    await kit.clock.advance(29_000)
    stream.send({ block: '19', alive: {} })
    await settle()
    await kit.clock.advance(29_000)
    expect(requestsFor(kit, '/ListQuotes ')).toHaveLength(1)
    expect(readinessOf(kit)).toBe('ready')

    stream.send({ block: '20', absence: { code: 'LIQUIDITY_INSUFFICIENT' } })
    await settle()
    expect(readinessOf(kit)).toBe('insufficientLiquidity')
  })

  it('is requested once the stream has failed', async () => {
    const stream = openStream<WatchQuoteResponseJson>()
    const kit = await swapping(toDollars, ({ gateway }) => {
      gateway.watchQuote = () => stream.body
    })
    await typeAmount(kit, '0.5')
    stream.send({ block: '18', alive: {} })
    await settle()
    stream.cut()
    await settle()
    expect(kit.hawser.swap.getState().isLive).toBe(false)
    await kit.clock.advance(10_000)
    expect(requestsFor(kit, '/ListQuotes ')).toHaveLength(2)
  })

  it('expires after half a minute without a confirmation', async () => {
    const kit = await swapping(toDollars)
    await typeAmount(kit, '0.5')
    kit.gateway.status = 503
    await kit.clock.advance(29_000)
    expect(readinessOf(kit)).toBe('ready')
    await kit.clock.advance(1_000)
    expect(readinessOf(kit)).toBe('expired')
    kit.gateway.status = 200
    await kit.clock.advance(10_000)
    expect(readinessOf(kit)).toBe('ready')
  })
})

describe('where there is no quote', () => {
  it.each([
    ['ROUTE_ABSENT', 400, 'noRoute'],
    ['LIQUIDITY_INSUFFICIENT', 400, 'insufficientLiquidity'],
    ['AMOUNT_INVALID', 400, 'amountInvalid'],
    ['TOKEN_TAKES_FEE', 400, 'tokenTakesFee'],
    ['TRANSACTION_REVERTS', 400, 'reverts'],
    ['SERVICE_UNAVAILABLE', 503, 'unavailable'],
    ['RATE_LIMITED', 429, 'unavailable'],
  ] as const)('%s is told apart', async (code, status, said) => {
    const kit = await swapping(toDollars, ({ gateway }) => {
      gateway.conversions.quote = () => {
        throw new Refusal(status, code)
      }
    })
    await typeAmount(kit, '0.5')
    expect(readinessOf(kit)).toBe(said)
  })

  it('another amount is quoted again', async () => {
    const kit = await swapping(toDollars, ({ gateway }) => {
      gateway.conversions.quote = (question) => {
        if (question.amount === '500000000000000000') throw new Refusal(400, 'LIQUIDITY_INSUFFICIENT')
        return quoteOf(question)
      }
    })
    await typeAmount(kit, '0.5')
    setSwapAmount(kit.hawser, '0.4')
    expect(readinessOf(kit)).toBe('quoting')
    await kit.clock.advance(200)
    await settle()
    expect(readinessOf(kit)).toBe('ready')
  })

  it('an amount above the balance is insufficient, whatever the gateway answers', async () => {
    const kit = await swapping(toDollars)
    await typeAmount(kit, '1.000000000000000001')
    expect(readinessOf(kit)).toBe('insufficientBalance')
  })

  it('a balance below the network fee is insufficient for gas', async () => {
    const kit = await swapping(toDollars)
    await typeAmount(kit, '1')
    expect(readinessOf(kit)).toBe('insufficientGas')
  })
})

describe('the maximum', () => {
  it('of a token is its balance', async () => {
    const kit = await swapping({ fromToken: 'tUSD', toToken: 'ETH' })
    await fillMaxSwapAmount(kit.hawser)
    expect(kit.hawser.swap.getState().sourceTokenAmount).toBe('12.5')
  })

  it('of the native currency leaves the gas, and more of it when it turns out to cost more', async () => {
    const kit = await swapping(toDollars, ({ gateway }) => {
      gateway.conversions.quote = (question) => ({ ...quoteOf(question), networkFee: '10000000000000000' })
    })
    await fillMaxSwapAmount(kit.hawser)
    expect(kit.hawser.swap.getState().sourceTokenAmount).toBe('0.9995')
    await kit.clock.advance(200)
    await settle()
    expect(kit.hawser.swap.getState().sourceTokenAmount).toBe('0.9875')
    await kit.clock.advance(200)
    await settle()
    expect(readinessOf(kit)).toBe('ready')
  })

  it('does not replace what is typed while the gas price is requested', async () => {
    const kit = await swapping(toDollars)
    const filling = fillMaxSwapAmount(kit.hawser)
    setSwapAmount(kit.hawser, '0.1')
    await filling
    expect(kit.hawser.swap.getState()).toMatchObject({ sourceTokenAmount: '0.1', isMaxAmount: false })
  })

  it('is not set while the gas price is unknown', async () => {
    const kit = await swapping(toDollars, ({ gateway }) => {
      gateway.conversions.gasPrice = () => {
        throw new Refusal(400, 'CHAIN_UNSUPPORTED')
      }
    })
    await fillMaxSwapAmount(kit.hawser)
    expect(kit.hawser.swap.getState().sourceTokenAmount).toBe('')
    expect(kit.hawser.toast.getState().message).toBe('Network not supported for Gas Price')
  })
})

describe('switching the tokens', () => {
  it('sells what would have been bought', async () => {
    const kit = await swapping(toDollars)
    await typeAmount(kit, '0.005')
    switchSwapTokens(kit.hawser)
    await kit.clock.advance(200)
    await settle()
    expect(kit.hawser.swap.getState()).toMatchObject({
      sourceToken: { symbol: 'tUSD' },
      toToken: { symbol: 'ETH' },
      sourceTokenAmount: '10',
    })
    expect(toTokenAmount(kit.hawser.swap.getState())).toBe('0.005')
  })

  it('happens when the other token is chosen', async () => {
    const kit = await swapping(toDollars)
    const { tokens } = kit.hawser.swap.getState()
    const dollar = tokens.find(({ address }) => address === DOLLAR_ID)
    if (dollar) selectSwapToken(kit.hawser, 'sourceToken', dollar)
    expect(kit.hawser.swap.getState()).toMatchObject({
      sourceToken: { symbol: 'tUSD' },
      toToken: { symbol: 'ETH' },
    })
  })

  it('an amount typed for another token is cleared', async () => {
    const kit = await swapping(toDollars)
    await typeAmount(kit, '0.5')
    const gold = kit.hawser.swap.getState().tokens.find(({ address }) => address === GOLD_ID)
    if (gold) selectSwapToken(kit.hawser, 'sourceToken', gold)
    expect(kit.hawser.swap.getState().sourceTokenAmount).toBe('')
  })
})
