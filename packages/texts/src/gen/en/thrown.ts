// Generated from packages/texts/languages by make generate. Do not edit.

/** Messages of the errors of core that visitors may see, word for word. */
export const thrown = {
  unsupportedChain: 'Unsupported chain',
  nameResolutionFailed: 'Error resolving name',
  nameSuggestionsFailed: 'Error fetching name suggestions',
  namesOfAddressFailed: 'Error fetching names for address',
  nameRegistrationFailed: 'Error registering name',
  nameChangeFailed: 'Error changing name',
  buyFailed: 'The checkout could not be opened',
  emailLoginUnavailable: 'Unable to load email login dependency',
  loginTimeout: 'Something went wrong',
  loginFailed: 'Something went wrong',
  swapsUnsupported: 'Network not supported for Swaps',
  solanaSendIncomplete: 'Please enter a valid amount and receiver address',
  connectFailed: 'Your wallet didn’t connect. Open it, then try again.',
  pairingExpired: 'No wallet answered in time. Try again.',
  relayFailed: 'The relay can’t be reached. Check your connection, then try again.',
  noAccounts: 'Your wallet shared no account. Choose one there, then try again.',
  switchFailed: 'Your wallet didn’t switch. Open it, then try again.',
  networkRefused: 'Your wallet doesn’t accept this network. Choose another one.',
} as const
