// Generated from packages/texts/languages by make generate. Do not edit.

/** Why a transfer would fail. */
export const sendRefusals = {
  otherOwner: 'The receiver’s token account belongs to another owner',
  program: 'The receiver is a program',
  otherToken: 'The receiver is not an account of this token',
  noWallet: 'The receiver is not a wallet',
  notCovered: 'The token accounts do not cover the amount',
  noMint: 'The token has no mint',
} as const
