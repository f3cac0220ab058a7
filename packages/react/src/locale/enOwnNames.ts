import { type RecordProblem, thrown } from '@hawser/core'
import { textsOf } from './textsOf.ts'

/** The texts of the views of the account's names, loaded with them. */
export const enOwnNames = {
  list: 'Names',
  loading: 'Loading names',
  given: 'Transferred to you',
  shown: 'Primary name',
  empty: {
    title: 'No name yet',
    text: 'A name is easier to remember and share than an address.',
    register: 'Choose a name',
  },
  error: { title: 'Names unavailable', text: thrown.namesOfAddressFailed },

  copyName: 'Copy name',
  addresses: 'Addresses',
  ethereum: 'Ethereum',
  chain: (id: number) => `Network ${id}`,
  coin: (coinType: number) => `Coin type ${coinType}`,
  notSet: 'Not set',
  otherNetworks: (count: number) => `Other networks (${count})`,
  fewerNetworks: 'Show fewer networks',
  you: 'You',
  copyAddressOn: (place: string) => `Copy the address on ${place}`,
  changeAddressOn: (place: string) => `Change the address on ${place}`,
  records: 'Profile',
  noRecords: 'No profile yet',
  copyRecord: (label: string) => `Copy ${label}`,
  ownership: 'Ownership',
  edit: 'Edit profile',
  transfer: 'Transfer name',
  release: 'Release name',
  labels: {
    alias: 'Alias',
    avatar: 'Picture',
    bio: 'Bio',
    'com.discord': 'Discord',
    'com.github': 'GitHub',
    'com.reddit': 'Reddit',
    'com.twitter': 'X (Twitter)',
    description: 'Description',
    email: 'Email',
    header: 'Header picture',
    location: 'Location',
    'org.telegram': 'Telegram',
    url: 'Website',
    'xyz.farcaster': 'Farcaster',
  },

  accept: {
    title: 'This name was transferred to you',
    text: 'Accept it to use it as your primary name. Only you can.',
    action: 'Accept',
  },

  change: {
    signing: 'Sign in your wallet',
    saving: 'Saving',
    stop: 'Stop waiting',
    declined: 'You declined. Nothing was changed.',
    free: 'Signing is free.',
  },
  record: {
    placeholders: {
      avatar: 'https://',
      header: 'https://',
      url: 'https://',
      location: 'Where you are',
      bio: 'A few words about you',
      description: 'What this name is for',
      alias: 'Another name you go by',
    },
    handle: 'Username',
    count: (length: number, max: number) => `${length} of ${max}`,
    problems: {
      tooLong: 'This is too long',
      hiddenLetters: 'Remove line breaks and hidden characters',
      noLink: 'Enter a link that starts with https://, http:// or ipfs://',
      noPicture: 'Enter a link to an image, or an NFT such as eip155:1/erc721:0x…/1',
      noHandle: 'Enter the username only, without a link or spaces',
    } satisfies Record<RecordProblem, string>,
    public: 'Your profile is public.',
    more: 'More fields',
    save: 'Save profile',
  },
  address: {
    text: (name: string, place: string) => `Anything sent to ${name} on ${place} goes to this address.`,
    now: 'Current address',
    target: 'New address',
    useOwn: 'Use my address',
    save: 'Save address',
    same: 'This is already the address',
  },
  target: {
    to: 'To',
    own: 'This is your own account',
  },
  transferring: {
    lead: (name: string) => `You’re giving ${name} away.`,
    consequences: [
      'Your addresses and profile are removed. The name will point to the new owner.',
      'The new owner has to accept it to use it.',
      'You can’t undo this. Only the new owner can transfer it back.',
    ],
    action: 'Transfer name',
  },
  releasing: {
    lead: (name: string) => `You’re giving up ${name}.`,
    consequences: [
      'Its addresses and profile are removed. Nothing can be sent to it any more.',
      'Anyone can register it, and will receive what is sent to it.',
    ],
    confirm: (name: string) => `Type ${name} to confirm`,
    action: 'Release name',
  },
} as const

export const useOwnNamesTexts = textsOf('ownNames', enOwnNames)
