import { textsOf } from './textsOf.ts'

/** The texts of what the wallet is about to sign, loaded with the views that show it. */
export const enSigning = {
  title: 'What signing does',
  loading: 'Checking what signing does',
  leaves: 'Leaves',
  arrives: 'Arrives',
  to: (address: string) => `to ${address}`,
  mayTake: 'May take',
  mayNoLongerTake: 'May no longer take',
  until: (date: string) => `until ${date}`,
  all: (symbol: string) => `all ${symbol}`,
  harmless: 'Moves no tokens, and gives no right to take any.',
  reverts: 'This would fail. You would still pay the network fee.',
  notSimulated: 'This couldn’t be simulated. It may do more than is shown.',
  unavailable: 'Can’t check what this does. Read it carefully in your wallet.',
  statement: 'Your wallet shows this text:',
}

export const useSigningTexts = textsOf('signing', enSigning)
