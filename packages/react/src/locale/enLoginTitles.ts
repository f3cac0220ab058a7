import type { Social, View } from '@hawser/core'

/** Names of the social logins. */
export const socialNames: Readonly<Record<Social, string>> = {
  google: 'Google',
  x: 'X',
  discord: 'Discord',
  farcaster: 'Farcaster',
  github: 'GitHub',
  apple: 'Apple',
  facebook: 'Facebook',
}

/** Titles of the views of the embedded wallet. */
export const loginTitles: Readonly<Partial<Record<View, string>>> = {
  ApproveTransaction: 'Approve transaction',
  ConnectSocials: 'All socials',
  ConnectingFarcaster: socialNames.farcaster,
  EmailVerifyDevice: 'Register device',
  EmailVerifyOtp: 'Confirm email',
  UpdateEmailPrimaryOtp: 'Confirm current email',
  UpdateEmailSecondaryOtp: 'Confirm new email',
  UpdateEmailWallet: 'Edit email',
  UpgradeEmailWallet: 'Upgrade your wallet',
}
