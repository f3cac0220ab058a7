/** Error codes of a wallet for a network switch. */
export const chainErrorCode = {
  unrecognisedChain: 4902,
  invalidChainId: -32603,
  /** For errors without a code. */
  unknown: 5000,
} as const
