import type {
  ApproveTransaction,
  ConversionToken,
  PermitQuestion,
  Quote,
  QuoteQuestion,
  SwapTransaction,
} from '@hawser/client/convert'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { ALICE } from './fakeWallet.ts'
import { DOLLAR_ADDRESS, ETHER_ID } from './tokens.ts'

export const ROUTER = '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45'
export const DOLLAR_ID = `eip155:31337:${DOLLAR_ADDRESS}`
export const GOLD_ID = 'eip155:31337:0x000000000000000000000000000000000000601d'

/** The wrapped native currency. */
export const WRAPPED = '0x00000000000000000000000000000000000057e7'

/** What the page's own site pins for the local chain. */
export const pinnedContracts = {
  'eip155:31337': { wrapped: WRAPPED, routers: { [ROUTER]: 'swap-router-02' } },
} as const

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
    routerBoundBps: 0.06,
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

const router02 = parseAbi([
  'function multicall(uint256 deadline, bytes[] data)',
  'struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Single params)',
  'function unwrapWETH9(uint256 amountMinimum, address recipient)',
])

/** Seconds of the fake clock, and twenty minutes. */
const DEADLINE = 1_700_001_200n

/** Call data of an honest swap through SwapRouter02, but for what a test changes. */
export function swapData(body: TransactionBody, change: SwapChange = {}): `0x${string}` {
  const { from, to, amount, toAmountMin, userAddress = '' } = body
  const token = (id: string) => (id === ETHER_ID ? WRAPPED : (id.slice(id.lastIndexOf(':') + 1) as Hex))
  const user = userAddress.slice(userAddress.lastIndexOf(':') + 1) as Hex
  const recipient = change.recipient ?? user
  const minimum = change.minimum ?? BigInt(toAmountMin)
  const paysEther = to === ETHER_ID
  const swap = encodeFunctionData({
    abi: router02,
    functionName: 'exactInputSingle',
    args: [
      {
        tokenIn: change.tokenIn ?? token(from),
        tokenOut: change.tokenOut ?? token(to),
        fee: 500,
        recipient: paysEther ? '0x0000000000000000000000000000000000000002' : recipient,
        amountIn: change.amount ?? BigInt(amount),
        amountOutMinimum: paysEther ? 0n : minimum,
        sqrtPriceLimitX96: 0n,
      },
    ],
  })
  const unwrap = encodeFunctionData({
    abi: router02,
    functionName: 'unwrapWETH9',
    args: [minimum, recipient],
  })
  return encodeFunctionData({
    abi: router02,
    functionName: 'multicall',
    args: [change.deadline ?? DEADLINE, paysEther ? [swap, unwrap] : [swap]],
  })
}

/** What an attacker puts in the place of what was asked for. */
export interface SwapChange {
  readonly recipient?: Hex
  readonly tokenIn?: Hex
  readonly tokenOut?: Hex
  readonly amount?: bigint
  readonly minimum?: bigint
  readonly deadline?: bigint
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

function transactionOf(body: TransactionBody): Partial<SwapTransaction> {
  const value = body.from === ETHER_ID ? body.amount : '0'
  return {
    to: `eip155:31337:${ROUTER}`,
    data: swapData(body),
    value,
    confirmed: true,
    unconfirmedBecause: '',
    eip155: { gas: '195000', gasPrice: '1000000000' },
    deadline: '0',
    calls: [],
  }
}

/** Typed data of a permit (EIP-2612) for ten dollars, but for what a test changes. */
export function typedPermit(message: object = {}, domain: object = {}) {
  const fields = (...declarations: readonly (readonly [string, string])[]) =>
    declarations.map(([name, type]) => ({ name, type }))
  return {
    types: {
      EIP712Domain: fields(
        ['name', 'string'],
        ['version', 'string'],
        ['chainId', 'uint256'],
        ['verifyingContract', 'address'],
      ),
      Permit: fields(
        ['owner', 'address'],
        ['spender', 'address'],
        ['value', 'uint256'],
        ['nonce', 'uint256'],
        ['deadline', 'uint256'],
      ),
    },
    primaryType: 'Permit',
    domain: { name: 'Test USD', version: '1', chainId: 31337, verifyingContract: DOLLAR_ADDRESS, ...domain },
    message: {
      owner: ALICE,
      spender: ROUTER,
      value: '10000000',
      nonce: '0',
      deadline: '1700000300',
      ...message,
    },
  }
}
