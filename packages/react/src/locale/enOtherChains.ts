import { textsOf } from './textsOf.ts'

/** The texts for accounts on networks other than EVM chains. */
export const enOtherChains = {
  request: {
    open: 'Request an amount',
    amount: 'Amount to request',
    token: 'Token',
    note: 'The code asks the sender’s wallet for this amount',
    copy: 'Copy payment link',
  },
  speed: {
    legend: 'How fast',
    slow: 'Slow',
    normal: 'Normal',
    fast: 'Fast',
    rate: (rate: string) => `${rate} sat/vB`,
  },
  ordinals: {
    address:
      'This address keeps ordinals and does not pay. Choose the address for payments under Account to send.',
    /** Follows the amount. */
    kept: 'stay at this address: outputs that may hold ordinals, are not confirmed yet, cost more than they hold, or are too many for one transfer.',
  },
  namespaces: {
    list: 'Chains',
    connect: 'Not connected',
  },
} as const

export const useOtherChainsTexts = textsOf('otherChains', enOtherChains)
