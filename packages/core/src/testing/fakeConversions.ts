import type { ConnectRouter } from '@connectrpc/connect'
import type {
  ApproveTransactionJson,
  BuildTransactionRequestJson,
  GetPermitResponseJson,
  ListQuotesRequestJson,
  QuoteJson,
  SwapTransactionJson,
  TokenJson,
  WatchQuoteResponseJson,
} from '@hawser/client/convert'
import { ConvertService, QuoteService } from '@hawser/client/convert'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { Refusal, serve, serveStream } from './connectRouter.ts'
import { ALICE } from './fakeWallet.ts'
import { DOLLAR_ADDRESS, ETHER_ID } from './tokens.ts'

export const ROUTER = '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45'
export const DOLLAR_ID = `eip155:31337:${DOLLAR_ADDRESS}`
export const GOLD_ID = 'eip155:31337:0x000000000000000000000000000000000000601d'

/** The wrapped native currency. */
export const WRAPPED = '0x00000000000000000000000000000000000057e7'

/** The contracts that the site of the test pins for the local chain. */
export const pinnedContracts = {
  'eip155:31337': { wrapped: WRAPPED, routers: { [ROUTER]: 'swap-router-02' } },
} as const

const MAX_ALLOWANCE = (2n ** 256n - 1n).toString()

/** The answers of the convert service; each may be replaced, and may throw a `Refusal`. */
export interface FakeConversions {
  tokens: (chainId: string, address?: string) => TokenJson[]
  quote: (question: QuoteQuestion) => QuoteJson | Promise<QuoteJson>
  allowance: () => string
  gasPrice: () => string
  approve: () => ApproveTransactionJson
  permit: () => GetPermitResponseJson
  transaction: (body: TransactionBody) => SwapTransactionJson | Promise<SwapTransactionJson>
  /** Every body of build-transaction. */
  readonly built: TransactionBody[]
}

/** A request as the page sends it: fields that it leaves out are absent. */
export type QuoteQuestion = ListQuotesRequestJson & { amount: string; from: string; to: string }

export type TransactionBody = BuildTransactionRequestJson & {
  amount: string
  from: string
  to: string
  toAmountMin: string
}

export const swapTokens: TokenJson[] = [
  token('Test USD', 'tUSD', DOLLAR_ID, 6),
  token('Ether', 'ETH', ETHER_ID, 18),
  token('Gold', 'GOLD', GOLD_ID, 0),
]

function token(name: string, symbol: string, address: string, decimals: number): TokenJson {
  return { name, symbol, address, decimals, eip2612: false }
}

/**
 * Creates a convert service on one chain where one ether is always two thousand dollars, whatever the amount.
 */
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

export function quoteOf(question: QuoteQuestion): QuoteJson {
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
    ...(!isNative && { spender: ROUTER }),
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

/** Call data of an honest swap through SwapRouter02, except for what a test changes. */
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

/** What an attacker replaces in the response. */
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

/** Serves the convert service, and quotes as a stream. */
export function routeConversions(
  router: ConnectRouter,
  conversions: FakeConversions,
  watchQuote: (signal: AbortSignal) => AsyncIterable<WatchQuoteResponseJson>,
): void {
  const { method } = ConvertService
  serve(router, method.listTokens, ({ chainId = '', address }) => ({
    tokens: conversions.tokens(chainId, address),
  }))
  serve(router, method.listQuotes, async (question) => ({
    quotes: [await conversions.quote(question as QuoteQuestion)],
  }))
  serve(router, method.getAllowance, () => ({ allowance: conversions.allowance(), spender: ROUTER }))
  serve(router, method.getGasPrice, () => {
    const standard = conversions.gasPrice()
    return { slow: standard, standard, fast: standard, instant: standard }
  })
  serve(router, method.buildApprove, () => ({ tx: conversions.approve() }))
  serve(router, method.getPermit, () => conversions.permit())
  serve(router, method.buildTransaction, async (request) => {
    const body = request as TransactionBody
    conversions.built.push(body)
    return { tx: { ...transactionOf(body), ...(await conversions.transaction(body)) } }
  })
  serveStream(router, QuoteService.method.watchQuote, watchQuote)
}

function transactionOf(body: TransactionBody): SwapTransactionJson {
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

/** Typed data of a permit (EIP-2612) for ten dollars, except for what a test changes. */
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

/** Typed data of a permit of Permit2 for ten dollars, except for what a test changes. */
export function typedSingle(
  spender: string,
  details: object = {},
  message: object = {},
  domain: object = {},
) {
  const uint = (name: string, bits: number) => ({ name, type: `uint${bits}` })
  const address = (name: string) => ({ name, type: 'address' })
  return {
    types: {
      EIP712Domain: [{ name: 'name', type: 'string' }, uint('chainId', 256), address('verifyingContract')],
      PermitSingle: [
        { name: 'details', type: 'PermitDetails' },
        address('spender'),
        uint('sigDeadline', 256),
      ],
      PermitDetails: [address('token'), uint('amount', 160), uint('expiration', 48), uint('nonce', 48)],
    },
    primaryType: 'PermitSingle',
    domain: {
      name: 'Permit2',
      chainId: 31337,
      verifyingContract: '0x000000000022D473030F116dDEE9F6B43aC78BA3',
      ...domain,
    },
    message: {
      details: {
        token: DOLLAR_ADDRESS,
        amount: '10000000',
        expiration: '1700000300',
        nonce: '3',
        ...details,
      },
      spender,
      sigDeadline: '1700000300',
      ...message,
    },
  }
}
