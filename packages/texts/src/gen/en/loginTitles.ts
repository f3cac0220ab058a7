// Generated from packages/texts/languages by make generate. Do not edit.

/** Titles of the views of the embedded wallet. */
export const loginTitles = {
  ApproveTransaction: 'Approve transaction',
  ConnectSocials: 'All socials',
  EmailVerifyDevice: 'Register device',
  EmailVerifyOtp: 'Confirm email',
  UpdateEmailPrimaryOtp: 'Confirm current email',
  UpdateEmailSecondaryOtp: 'Confirm new email',
  UpdateEmailWallet: 'Edit email',
  UpgradeEmailWallet: 'Move to another wallet',
} as const
