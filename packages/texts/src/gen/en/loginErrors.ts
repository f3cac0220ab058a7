// Generated from packages/texts/languages by make generate. Do not edit.

/** Why a login or a change of the email fails, as the gateway or the frame of the embedded wallet says it. */
export const loginErrors = {
  wrongCode: 'Invalid code',
  ended: 'This code or link has expired. Start again',
  mailUnavailable: 'The mail could not be sent. Try again later',
  farcasterUnavailable: 'Farcaster does not answer. Try again later',
  farcasterFailed: 'The login by Farcaster failed',
  providerFailed: 'The login at the provider failed',
  providerUnsupported: 'This provider is not configured',
  emailTaken: 'Another user has this email',
  sessionEnded: 'The session has ended',
  deviceUnproven: 'The device proof is not valid',
  serviceUnavailable: 'The service is temporarily unavailable',
  timeout: 'The request took too long',
  internal: 'Internal server error',
  loginOver: 'The login has ended. Start again',
  loginDenied: 'The login was denied',
  signedOut: 'Sign in to continue',
  walletAbsent: 'The user has no wallet yet',
  declined: 'User rejected the request',
} as const
