/** The texts of what only accounts of sites with networks beside EVM chains have. */
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
  namespaces: {
    list: 'Chains',
    connect: 'Not connected',
  },
} as const
