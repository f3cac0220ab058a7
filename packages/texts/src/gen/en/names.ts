// Generated from packages/texts/languages by make generate. Do not edit.

/** The texts of the views that register a name. */
export const names = {
  label: 'Account name',
  placeholder: 'Your name',
  intro: 'A name is easier to remember and share than an address. Anything sent to it reaches your account.',
  results: 'Names',
  register: 'Choose name',
  states: { available: 'Available', registered: 'Registered', reserved: 'Reserved' },
  choose: (name: string) => `Choose ${name}`,
  /** Hints and errors below the field. */
  hints: { empty: 'At least 4 letters, numbers or hyphens', tooShort: 'Name must be at least 4 characters long', tooLong: 'Name can be at most 64 characters long', invalidLetters: 'Can only contain letters, numbers and - characters', checking: 'Checking availability…', registered: 'This name is taken. These are available:', reserved: 'This name is reserved. These are available:', unavailable: 'Error fetching name suggestions', ready: 'This name is available' },
  none: { registered: 'This name is taken', reserved: 'This name is reserved' },
  owned: 'You already own a name',
  declined: 'You declined. Nothing was registered.',
  signing: { label: 'Sign in your wallet', text: (name: string) => `Sign to claim ${name}. It’s free.`, stop: 'Stop waiting' },
  registering: { label: 'Registering your name', text: (name: string) => `${name} will be yours in a moment.` },
  registered: { label: 'Account name chosen successfully', text: 'Anything sent to this name reaches your account.', go: 'Done' },
} as const
