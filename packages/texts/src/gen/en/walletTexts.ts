// Generated from packages/texts/languages by make generate. Do not edit.

/** Texts for requests that a wallet did not fulfil, by the reason. */
export const walletTexts = {
  declined: 'You declined.',
  busy: 'Your wallet is already asking. Open it to continue.',
  unauthorized: 'Your wallet hasn’t given this site access to this account. Allow it there, then try again.',
  unsupported: 'Your wallet doesn’t support this. Try another wallet.',
  offline: 'Your wallet can’t reach the network. Check its connection, then try again.',
  unknownNetwork: 'Your wallet doesn’t know this network. Add it there, then try again.',
  unsupportedNetwork: 'Your wallet doesn’t support this network. Choose another one.',
  wrongNetwork: 'Your wallet is on another network. Switch it back, then try again.',
  unknownBatch: 'Your wallet no longer knows this transaction. Check its activity.',
  batchTooLarge: 'Your wallet can’t do this in one go. Try a smaller amount.',
  insufficientFunds: 'Your account doesn’t have enough for this and its network fee.',
  internal: 'Your wallet reported a problem. Open it, then try again.',
  unreadable: 'Your wallet’s answer can’t be read. Check its activity before you try again.',
} as const
