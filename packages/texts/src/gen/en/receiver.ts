// Generated from packages/texts/languages by make generate. Do not edit.

/** What surrounds the field of a receiver. */
export const receiver = {
  switchTo: (network: string) => `Switch to ${network}`,
  suggestions: 'Suggested receivers',
  found: (count: number) => count === 1 ? '1 suggestion' : `${count} suggestions`,
  sentBefore: 'You sent to this address before',
  saveContact: 'Save as contact',
  elsewhere: (network: string) => `This receiver is on ${network}.`,
  unknownChain: (chain: string) => `No network of this site is called ${chain}.`,
  wrongChecksum: 'The checksum is wrong. Ask for the address again.',
  contacts: 'Contacts',
} as const
