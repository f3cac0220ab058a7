import type { NameReadiness } from '@hawser/core'

/** Every text of the views that register a name; they are loaded with them. */
export const enNames = {
  label: 'Account name',
  placeholder: 'Your name',
  intro:
    'A name is easier to read, to remember and to share than an address. Whoever sends to it sends to you.',
  results: 'Names',
  register: 'Choose name',
  states: {
    available: 'Available',
    registered: 'Registered',
    reserved: 'Reserved',
  },
  choose: (name: string) => `Choose ${name}`,
  /** What stands below the field, in red where it is an error. */
  hints: {
    empty: 'At least 4 letters, numbers or hyphens',
    tooShort: 'Name must be at least 4 characters long',
    tooLong: 'Name can be at most 64 characters long',
    invalidLetters: 'Can only contain letters, numbers and - characters',
    checking: 'Checking who has it…',
    registered: 'Somebody has this name. These are free:',
    reserved: 'This name is reserved. These are free:',
    unavailable: 'Error fetching name suggestions',
    ready: 'This name is free',
  } satisfies Record<NameReadiness, string>,
  none: { registered: 'Somebody has this name', reserved: 'This name is reserved' } as Partial<
    Record<NameReadiness, string>
  >,
  owned: 'You already own a name',
  declined: 'You declined. Nothing was registered.',
  signing: {
    label: 'Sign in your wallet',
    text: (name: string) => `Your signature says that ${name} is to be yours. It costs nothing.`,
    stop: 'Stop waiting',
  },
  registering: { label: 'Registering your name', text: (name: string) => `${name} is yours in a moment.` },
  registered: {
    label: 'Account name chosen successfully',
    text: 'You can now fund your account and trade crypto',
    go: 'Let’s Go!',
  },
} as const
