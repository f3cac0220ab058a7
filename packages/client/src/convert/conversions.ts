import type { RestClient } from '../rest/restClient.ts'
import type {
  Allowance,
  ApproveTransaction,
  ConversionToken,
  GasPrices,
  PermitQuestion,
  Quote,
  SwapTransaction,
} from './answers.ts'

/** A swap to be quoted. Tokens are CAIP-10, amounts decimal text in base units. */
export interface QuoteQuestion {
  readonly amount: string
  readonly from: string
  readonly to: string
  /** CAIP-10 of whoever swaps; the quote is simulated for this account. */
  readonly userAddress?: string
  /** Whether the account carries out several calls at once or not at all (EIP-5792). */
  readonly batch?: boolean
  /** How much less than the quote is accepted, in hundredths of a percent. */
  readonly slippageBps?: number
}

/** A quote that was chosen, and whose it is. */
export interface ChosenQuote {
  readonly amount: string
  readonly from: string
  readonly to: string
  /** CAIP-10. */
  readonly userAddress: string
  readonly quoteId: string
}

export interface TransactionQuestion extends ChosenQuote {
  /** How much less than the quote is accepted, in hundredths of a percent. */
  readonly slippageBps: number
  /** The least that was promised, in base units of the bought token. */
  readonly toAmountMin: string
  /** One batch with the approvals that are missing. */
  readonly batch?: boolean
  /** Builds it whatever the account holds and has allowed. */
  readonly disableEstimate?: boolean
  /** A signed approval, see `encodePermit` of the core. */
  readonly permit?: string
}

/** The gateway's calls for swaps. Every method may throw the errors of the REST client. */
export interface Conversions {
  /** @param address only the token with this plain address. */
  tokens(
    chainId: string,
    signal?: AbortSignal,
    address?: string,
  ): Promise<{ tokens: readonly ConversionToken[] }>
  quotes(question: QuoteQuestion, signal?: AbortSignal): Promise<{ quotes: readonly Quote[] }>
  allowance(
    question: { tokenAddress: string; userAddress: string; spender: string },
    signal?: AbortSignal,
  ): Promise<Allowance>
  gasPrice(chainId: string, signal?: AbortSignal): Promise<GasPrices>
  buildApprove(question: ChosenQuote, signal?: AbortSignal): Promise<{ tx: ApproveTransaction }>
  permit(question: ChosenQuote, signal?: AbortSignal): Promise<PermitQuestion>
  buildTransaction(question: TransactionQuestion, signal?: AbortSignal): Promise<{ tx: SwapTransaction }>
}

/** The calls for swaps, over a REST client. */
export function createConversions({ get, post }: RestClient): Conversions {
  return {
    tokens: (chainId, signal, address) => get('/v1/convert/tokens', { chainId, address }, signal),
    quotes: (question, signal) => get('/v1/convert/quotes', quoteParameters(question), signal),
    allowance: (question, signal) => get('/v1/convert/allowance', { ...question }, signal),
    gasPrice: (chainId, signal) => get('/v1/convert/gas-price', { chainId }, signal),
    buildApprove: (question, signal) => get('/v1/convert/build-approve', { ...question }, signal),
    permit: ({ amount, from, userAddress, quoteId }, signal) =>
      get('/v1/convert/permit', { amount, from, userAddress, quoteId }, signal),
    buildTransaction: ({ slippageBps, permit, ...question }, signal) =>
      post(
        '/v1/convert/build-transaction',
        { ...question, eip155: { slippageBps, ...(permit && { permit }) } },
        signal,
      ),
  }
}

/** A page approves whom the quote names, so any spender will do. */
export function quoteParameters(question: QuoteQuestion) {
  return { ...question, spender: 'any' }
}
