import type { MessageData } from '@hawser/client'
import type { Offer, Path } from '@hawser/client/convert'
import type { Message } from '@hawser/texts/message'
import type { CaipAddress } from './network.ts'
import type { PreviewState } from './preview.ts'

/** The initial swap: tokens by symbol or address, and a decimal string in whole tokens. */
export interface SwapArguments {
  readonly fromToken?: string
  readonly toToken?: string
  readonly amount?: string
}

/** One of the two tokens. */
export type SwapSide = 'sourceToken' | 'toToken'

/** A token that can be swapped. */
export interface SwapToken {
  readonly name: string
  readonly symbol: string
  /** CAIP-10; `0xeeee…eeee` for the native currency. */
  readonly address: string
  readonly decimals: number
  /** Empty if there is none. */
  readonly iconUrl: string
  /** Whether an approval can be signed instead of sent (EIP-2612). */
  readonly eip2612: boolean
}

/** A share of the amount, and the pools that it goes through. */
export type SwapPath = MessageData<Path>

/** The output of one source, or why it has no quote. */
export type SwapOffer = MessageData<Offer>

/** Why a transaction could not be simulated, as `hawser.convert.v1.UnconfirmedCause`. */
export type UnconfirmedCause =
  | 'unanswered'
  | 'notBuilt'
  | 'balanceLow'
  | 'uncounted'
  | 'severalCalls'
  | 'failsNow'

export interface UnconfirmedBecause {
  /** In English. */
  readonly text: string
  /** Undefined for a cause that this page does not know. */
  readonly cause: UnconfirmedCause | undefined
  /** The contract's own text about it, as plain text; empty if there is none. */
  readonly detail: string
}

/** A quote. Amounts in base units, fees in wei. */
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
  /** Undefined if a vendor does not state it. */
  readonly block: bigint | undefined
  /** Proven bound of how far the quote is below the best possible route, in basis points. For display only. */
  readonly boundBps: number | undefined
  /** The same among the pools that the quote's router can trade; never above `boundBps`. For display only. */
  readonly routerBoundBps: number | undefined
  /** Percent. For display only. */
  readonly priceImpact: number | undefined
  /** Wei; undefined if unknown. */
  readonly networkFee: bigint | undefined
  /** The fee of the operator, in base units of the bought token. */
  readonly providerFee: bigint
  /** The contract that needs an allowance of the sold token; undefined if none does. */
  readonly spender: string | undefined
  /** Whether the transaction was simulated. */
  readonly isConfirmed: boolean
  /** Why it was not simulated; undefined if it was. */
  readonly unconfirmedBecause: UnconfirmedBecause | undefined
  readonly route: readonly SwapPath[]
  /** Number of calls besides approvals; more than one only in a batch. */
  readonly calls: number
  readonly offers: readonly SwapOffer[]
}

/** Basis points from 1 to 5000, or `auto` to follow the price impact. */
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

/** `wallet`: the wallet prompts; `chain`: the transaction waits for its block. */
export type SwapStepState = 'next' | 'wallet' | 'chain' | 'done'

/** One request to the wallet. */
export interface SwapStep {
  readonly kind: SwapStepKind
  readonly state: SwapStepState
}

/** `working`: the gateway builds the transaction, the wallet prompts, or an approval waits for its block. */
export type SwapStatus = 'draft' | 'working'

export interface SwapState {
  /** The account of the swap; another account or network resets it. */
  readonly owner: CaipAddress | undefined
  readonly status: SwapStatus
  readonly availability: SwapAvailability
  /** The tokens of the network that can be swapped, the native currency first. */
  readonly tokens: readonly SwapToken[]
  readonly sourceToken: SwapToken | undefined
  readonly toToken: SwapToken | undefined
  /** The typed amount: a decimal string in whole tokens. */
  readonly sourceTokenAmount: string
  /** True while the amount is the whole balance, less gas. */
  readonly isMaxAmount: boolean
  readonly slippage: SwapSlippage
  /** The newest quote; see `currentQuote` for whether it is for the current input. */
  readonly quote: SwapQuote | undefined
  readonly isQuoting: boolean
  /** The quote is too old to be used. */
  readonly isExpired: boolean
  /** True while the gateway streams quotes. */
  readonly isLive: boolean
  readonly problem: SwapProblem | undefined
  /** US dollars per whole token by CAIP-10 in lower case, for display only. */
  readonly prices: Readonly<Record<string, number>>
  /** Base units by CAIP-10 in lower case, of selected tokens that are not in the balance list. */
  readonly balances: Readonly<Record<string, bigint>>
  /** Whether the wallet makes several calls atomically (EIP-5792); undefined until it answered. */
  readonly isAtomic: boolean | undefined
  /** How often the wallet declined to sign for Permit2; quotes avoid Permit2 from the second time on. */
  readonly permit2Declines: number
  /** The requests to the wallet; undefined until the allowance is known. */
  readonly steps: readonly SwapStep[] | undefined
  /** What the wallet would sign; undefined until the steps are known, and with an embedded wallet, which shows its own. */
  readonly preview?: PreviewState | undefined
  /** What the swap that was built would do, where the preview of its steps does not show it; kept while its dangers are not accepted. */
  readonly builtPreview?: PreviewState | undefined
  /** The price moved after the visitor confirmed: the new quote must be confirmed again. */
  readonly hasPriceMoved: boolean
  /** Why the page refuses the transaction of the gateway; undefined if it does not. */
  readonly refusal: Message | undefined
  /** Why the transaction could not be simulated, which the visitor must accept before the wallet prompts; undefined if it was. */
  readonly unconfirmedBecause: UnconfirmedBecause | undefined
}
