import type {
  ApproveTransaction,
  ConversionToken,
  PermitQuestion,
  Quote,
  QuoteQuestion,
  SwapTransaction,
} from '@hawser/client/convert'
import { DOLLAR_ADDRESS, ETHER_ID } from './tokens.ts'

export const ROUTER = '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45'
export const DOLLAR_ID = `eip155:31337:${DOLLAR_ADDRESS}`
export const GOLD_ID = 'eip155:31337:0x000000000000000000000000000000000000601d'

export const MAX_ALLOWANCE = (2n ** 256n - 1n).toString()

/** What was refused, as the gateway says it. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code)
  }
}

/** The questions of the convert service; each may be replaced, and may throw a `Refusal`. */
export interface FakeConversions {
  tokens: (chainId: string, address: string | null) => readonly ConversionToken[]
  quote: (question: QuoteQuestion) => Quote | Promise<Quote>
  allowance: () => string
  gasPrice: () => string
  approve: () => Partial<ApproveTransaction>
  permit: () => PermitQuestion
  transaction: (body: TransactionBody) => Partial<SwapTransaction> | Promise<Partial<SwapTransaction>>
  /** Every body of build-transaction. */
  readonly built: TransactionBody[]
}

export interface TransactionBody extends QuoteQuestion {
  readonly quoteId: string
  readonly toAmountMin: string
  readonly eip155: { readonly slippageBps: number; readonly permit?: string }
}

export const swapTokens: readonly ConversionToken[] = [
  token('Test USD', 'tUSD', DOLLAR_ID, 6),
  token('Ether', 'ETH', ETHER_ID, 18),
  token('Gold', 'GOLD', GOLD_ID, 0),
]

function token(name: string, symbol: string, address: string, decimals: number): ConversionToken {
  return { name, symbol, address, decimals, logoUri: null, eip2612: false }
}

/** One ether is two thousand dollars, whatever the amount, on one chain. */
export function createFakeConversions(): FakeConversions {
  const conversions: FakeConversions = {
    built: [],
    tokens: (chainId) => {
      if (chainId !== 'eip155:31337') throw new Refusal(400, 'CHAIN_UNSUPPORTED')
      return swapTokens
    },
    quote: quoteOf,
    allowance: () => MAX_ALLOWANCE,
    gasPrice: () => '1000000000',
    approve: () => ({ reset: false }),
    permit: () => {
      throw new Refusal(400, 'PERMIT_UNSUPPORTED')
    },
    transaction: (body) => ({ amount: paid(body).toString(), toAmountMin: body.toAmountMin }),
  }
  return conversions
}

export function quoteOf(question: QuoteQuestion): Quote {
  const toAmount = paid(question)
  const isNative = question.from === ETHER_ID
  return {
    id: 'onchain.0',
    fromAmount: question.amount,
    fromAccount: question.from,
    toAmount: toAmount.toString(),
    toAccount: question.to,
    toAmountMin: '0',
    source: 'onchain',
    block: '17',
    boundBps: 0.06,
    priceImpact: 0.12,
    gas: '150000',
    gasPrice: '1000000000',
    networkFee: '150000000000000',
    providerFee: '0',
    spender: isNative ? null : ROUTER,
    confirmed: true,
    unconfirmedBecause: '',
    route: [
      {
        share: 70,
        hops: [
          { pool: ROUTER, venue: 'Uniswap', kind: 'v3', fee: 0.05, from: question.from, to: question.to },
        ],
      },
      {
        share: 30,
        hops: [
          { pool: ROUTER, venue: 'Uniswap', kind: 'v2', fee: 0.3, from: question.from, to: GOLD_ID },
          { pool: ROUTER, venue: 'Uniswap', kind: 'v2', fee: 0.3, from: GOLD_ID, to: question.to },
        ],
      },
    ],
    calls: 1,
    offers: [],
  }
}

function paid({ amount, from }: Pick<QuoteQuestion, 'amount' | 'from'>): bigint {
  return from === ETHER_ID ? (BigInt(amount) * 2_000n) / 10n ** 12n : (BigInt(amount) * 10n ** 12n) / 2_000n
}

/** Answers a request for the convert service; undefined when it is for another. */
export async function answerConversion(
  conversions: FakeConversions,
  url: URL,
  body: unknown,
): Promise<unknown> {
  const query = Object.fromEntries(url.searchParams) as unknown as QuoteQuestion
  switch (url.pathname) {
    case '/v1/convert/tokens': {
      const { searchParams } = url
      return { tokens: conversions.tokens(String(searchParams.get('chainId')), searchParams.get('address')) }
    }
    case '/v1/convert/quotes':
      return { quotes: [await conversions.quote(query)] }
    case '/v1/convert/allowance':
      return { allowance: conversions.allowance(), spender: ROUTER }
    case '/v1/convert/gas-price': {
      const standard = conversions.gasPrice()
      return { slow: standard, standard, fast: standard, instant: standard }
    }
    case '/v1/convert/build-approve':
      return { tx: conversions.approve() }
    case '/v1/convert/permit':
      return conversions.permit()
    case '/v1/convert/build-transaction': {
      const asked = body as TransactionBody
      conversions.built.push(asked)
      return { tx: { ...transactionOf(asked), ...(await conversions.transaction(asked)) } }
    }
    default:
      return undefined
  }
}

function transactionOf({ from, amount }: TransactionBody): Partial<SwapTransaction> {
  const value = from === ETHER_ID ? amount : '0'
  return {
    to: `eip155:31337:${ROUTER}`,
    data: '0x5ae401dc',
    value,
    eip155: { gas: '195000', gasPrice: '1000000000' },
    deadline: '0',
    calls: [],
  }
}
