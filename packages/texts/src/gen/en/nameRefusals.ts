// Generated from packages/texts/languages by make generate. Do not edit.

/** Why the gateway refuses a registration or a change of a name. */
export const nameRefusals = {
  fieldInvalid: 'A field can’t be saved. Check what you entered.',
  networkUnsupported: 'Names aren’t supported on this network.',
  unavailable: 'Names can’t be changed right now. Try again in a moment.',
  networkUnavailable: 'The network doesn’t answer. Try again in a moment.',
  signatureExpired: 'The signature has expired. Check the clock of your device, then try again.',
  signatureOther: 'The signature isn’t from this account. Check your wallet, then try again.',
  notOwner: 'This account doesn’t own the name.',
  tooManyChanges: 'This account changed too many names. Try again in an hour.',
  addressInvalid: 'This address can’t be used.',
  nameInvalid: 'This name can’t be used.',
  reserved: 'This name is reserved.',
  taken: 'This name is taken.',
  unregistered: 'This name isn’t registered any more.',
  signatureUsed: 'This signature was used before. Try again.',
  tooManyRequests: 'Too many requests. Try again later.',
} as const
