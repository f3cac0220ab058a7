// Generated from packages/texts/languages by make generate. Do not edit.

/** The texts of the buttons, which are on the page of a site before the modal is. */
export const buttons = {
  connect: 'Connect wallet',
  connecting: 'Connecting...',
  /** Shown to a connected visitor when the code of the account button could not be loaded. */
  account: 'Account',
  selectNetwork: 'Select network',
  switchNetwork: 'Switch network',
} as const
