// Generated from packages/texts/languages by make generate. Do not edit.

/** The texts of what the wallet is about to sign. */
export const signing = {
  title: 'Effects of signing',
  loading: 'Checking what signing does',
  leaves: 'You send',
  arrives: 'You receive',
  to: (address: string) => `to ${address}`,
  mayTake: 'Can spend',
  mayNoLongerTake: 'Can no longer spend',
  until: (date: string) => `until ${date}`,
  all: (symbol: string) => `all ${symbol}`,
  harmless: 'Doesn’t move tokens or allow anyone to spend them.',
  reviewed: 'Simulated: does just what is shown above.',
  reverts: 'This would fail. You would still pay the network fee.',
  notSimulated: 'This couldn’t be simulated. It may do more than is shown.',
  partial: 'Not everything could be checked. It may do more than is shown.',
  unavailable: 'Can’t check what this does. Read it carefully in your wallet.',
  statement: 'Your wallet shows this text:',
  asks: 'What the site asks',
  unlimited: (symbol: string) => `unlimited ${symbol}`,
  yes: 'Yes',
  no: 'No',
} as const
