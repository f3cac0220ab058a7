/** The interface of a contract that swaps call, by which the page decodes and verifies calls before a wallet prompts. */
export type SwapRouterKind =
  /** Uniswap's SwapRouter02: v2 and v3 pools. */
  | 'swap-router-02'
  /** Uniswap's first SwapRouter, and its copies: v3 pools. */
  | 'v3-router'
  /** The SwapRouter of Algebra V1. */
  | 'algebra-router'
  /** UniswapV2Router02, and its copies. */
  | 'v2-router'
  /** Uniswap's UniversalRouter, which takes sold tokens through Permit2. */
  | 'universal-router'
  /** AggregationRouterV6. */
  | '1inch'
  /** AllowanceHolder of 0x, which calls a Settler that the wallet's own node finds in the registry of 0x. */
  | '0x'

/** The contracts of one chain that swaps may call, and that may be approved to take what is sold. */
export interface SwapContracts {
  /** The wrapped native currency: a plain address. */
  readonly wrapped: string
  /** Kinds of routers by plain address. */
  readonly routers: Readonly<Record<string, SwapRouterKind>>
}
