import type { Social } from '@hawser/core'
import { textsOf } from './textsOf.ts'

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
export const enLoginTitles = {
  ApproveTransaction: 'Approve transaction',
  ConnectSocials: 'All socials',
  EmailVerifyDevice: 'Register device',
  EmailVerifyOtp: 'Confirm email',
  UpdateEmailPrimaryOtp: 'Confirm current email',
  UpdateEmailSecondaryOtp: 'Confirm new email',
  UpdateEmailWallet: 'Edit email',
  UpgradeEmailWallet: 'Move to another wallet',
} as const

export const useLoginTitles = textsOf('loginTitles', enLoginTitles)
