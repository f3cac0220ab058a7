// Generated from packages/texts/languages by make generate. Do not edit.

/** What is known about the receiver of a transfer: from the history, and from the chain given with it. */
export const receiverCheck = {
  title: 'This address looks like another one',
  range: (from: number, to: number) => `They are different addresses: characters ${from} to ${to} are not the same.`,
  suspectTitle: 'You know this address only from a worthless transfer',
  why: 'Attackers send worthless transfers so that you copy their address from your activity.',
  entered: 'The receiver you entered',
  own: 'Your own address',
  sentTo: 'The address you sent to before',
  receivedFrom: 'An address you received from before',
  useKnown: 'Use the one I know',
  useNew: 'Use this new address',
  first: 'Your activity shows no transfer to this address.',
  unread: 'Your activity couldn’t be read, so this address wasn’t compared with it.',
  onNetwork: (network: string) => `On ${network}`,
  contact: (name: string) => `Your contact ${name}`,
  isContact: (name: string) => `Contact: ${name}`,
} as const
