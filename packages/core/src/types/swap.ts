import type { MessageData } from '@hawser/client'
import type { Offer, Path } from '@hawser/client/convert'
import type { CaipAddress } from './network.ts'

/** What a swap was opened with: tokens by symbol or address, and a decimal string in whole tokens. */
export interface SwapArguments {
  readonly fromToken?: string
  readonly toToken?: string
  readonly amount?: string
}

/** Which of the two tokens is meant. */
export type SwapSide = 'sourceToken' | 'toToken'

/** A token that can be swapped. */
export interface SwapToken {
  readonly name: string
  readonly symbol: string
  /** CAIP-10; `0xeeee…eeee` for the network's own currency. */
  readonly address: string
  readonly decimals: number
  /** Empty when there is none. */
  readonly iconUrl: string
  /** Whether an approval can be signed instead of sent (EIP-2612). */
  readonly eip2612: boolean
}

/** Pools a share of the amount goes through, as the gateway tells them. */
export type SwapPath = MessageData<Path>

/** What one source said. */
export type SwapOffer = MessageData<Offer>

/** What the swap pays. Amounts in base units, fees in wei. */
export interface SwapQuote {
  readonly id: string
  /** CAIP-10. */
  readonly from: string
  /** CAIP-10. */
  readonly to: string
  readonly fromAmount: bigint
  readonly toAmount: bigint
  /** `onchain`, or a vendor's name. */
  readonly source: string
  /** Undefined when a vendor does not say. */
  readonly block: bigint | undefined
  /** Proven distance from the best any route could pay, in hundredths of a percent. For display only. */
  readonly boundBps: number | undefined
  /** The same without pools that the quote's router cannot trade; never above `boundBps`. For display only. */
  readonly routerBoundBps: number | undefined
  /** Percent. For display only. */
  readonly priceImpact: number | undefined
  /** Wei, all in all; undefined when not known. */
  readonly networkFee: bigint | undefined
  /** What the operator takes, in base units of the bought token. */
  readonly providerFee: bigint
  /** Who must be allowed to take the sold token; undefined when nobody must. */
  readonly spender: string | undefined
  /** Whether the very transaction was simulated. */
  readonly isConfirmed: boolean
  readonly unconfirmedBecause: string
  readonly route: readonly SwapPath[]
  /** How many calls it takes beside approvals; more than one only in a batch. */
  readonly calls: number
  readonly offers: readonly SwapOffer[]
}

/** Hundredths of a percent from 1 to 5000, or what suits the quote. */
export type SwapSlippage = 'auto' | number

/** Whether the network in use has swaps. */
export type SwapAvailability = 'unknown' | 'available' | 'unsupported' | 'unreachable'

/** Why there is no quote. */
export type SwapProblem =
  | 'noRoute'
  | 'insufficientLiquidity'
  | 'amountInvalid'
  | 'tokenTakesFee'
  | 'reverts'
  | 'unavailable'

export type SwapStepKind = 'reset' | 'approve' | 'permit' | 'swap' | 'batch'

/** `wallet`: the wallet asks; `chain`: the transaction waits for its block. */
export type SwapStepState = 'next' | 'wallet' | 'chain' | 'done'

/** One thing the wallet is asked for. */
export interface SwapStep {
  readonly kind: SwapStepKind
  readonly state: SwapStepState
}

/** `working`: the gateway builds what is to be signed, the wallet asks, or an approval waits for its block. */
export type SwapStatus = 'draft' | 'working'

export interface SwapState {
  /** Whose swap it is; a swap of another account or network is dropped. */
  readonly owner: CaipAddress | undefined
  readonly status: SwapStatus
  readonly availability: SwapAvailability
  /** Every token of the network that can be swapped, its own currency first. */
  readonly tokens: readonly SwapToken[]
  readonly sourceToken: SwapToken | undefined
  readonly toToken: SwapToken | undefined
  /** What the visitor typed: a decimal string in whole tokens. */
  readonly sourceTokenAmount: string
  /** True while the amount follows the balance: all of the token, less what gas takes. */
  readonly isMaxAmount: boolean
  readonly slippage: SwapSlippage
  /** The newest quote; see `currentQuote` for whether it is for what is typed now. */
  readonly quote: SwapQuote | undefined
  readonly isQuoting: boolean
  /** The quote was not confirmed for so long that it says nothing any more. */
  readonly isExpired: boolean
  /** True while the gateway pushes quotes as blocks come. */
  readonly isLive: boolean
  readonly problem: SwapProblem | undefined
  /** US dollars per whole token by CAIP-10 in lower case, for display only. */
  readonly prices: Readonly<Record<string, number>>
  /** Base units by CAIP-10 in lower case, of chosen tokens that the balance list does not tell. */
  readonly balances: Readonly<Record<string, bigint>>
  /** Whether the wallet carries out several calls at once or not at all (EIP-5792); undefined until it said. */
  readonly isAtomic: boolean | undefined
  /** How often the wallet declined to sign for Permit2; quotes avoid Permit2 from the second time on. */
  readonly permit2Declines: number
  /** What the wallet will be asked for; undefined until the allowance is known. */
  readonly steps: readonly SwapStep[] | undefined
  /** The price moved against the visitor after they had agreed: the new quote needs their word again. */
  readonly hasPriceMoved: boolean
  /** Why the page does not ask the wallet for what the gateway answered; undefined while it would. */
  readonly refusal: string | undefined
  /** Why the transaction was not simulated, which the visitor has to accept before the wallet is asked; undefined otherwise. */
  readonly unconfirmedBecause: string | undefined
}
