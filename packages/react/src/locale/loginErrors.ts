/** Texts with which the gateway answers a login that fails, word for word. */
export const loginErrors = {
  wrongCode: 'Invalid code',
  ended: 'This code or link has expired. Start again',
  mailUnavailable: 'The mail could not be sent. Try again later',
  farcasterUnavailable: 'Farcaster does not answer. Try again later',
  farcasterFailed: 'The login by Farcaster failed',
  providerFailed: 'The login at the provider failed',
} as const
