// Generated from packages/texts/languages by make generate. Do not edit.

/** Errors of the wallet’s own code that are shown to users. */
export const walletErrors = {
  unknown: 'Something went wrong',
  locked: 'The wallet is locked',
  signedOut: 'Sign in to continue',
  wrongPassword: 'The password is wrong',
  wrongPasskey: 'The passkey does not open this wallet',
  weakPasskey: 'This passkey cannot open a wallet. Use another device, or a password',
  secretNeeded: 'The wallet needs a passkey or a password',
  notAKit: 'The file is not a recovery kit',
  otherKit: 'The recovery kit belongs to another wallet',
  wrongKitPassword: 'The password does not open this recovery kit',
  loginOver: 'The login has ended. Start again',
  loginDenied: 'The login was denied',
  notAdded: 'The account was not added',
  unreachable: 'The network could not be reached',
  notExecuted: 'The network did not execute the operation',
} as const
