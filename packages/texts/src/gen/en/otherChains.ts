// Generated from packages/texts/languages by make generate. Do not edit.

/** The texts for accounts on networks other than EVM chains. */
export const otherChains = {
  request: { open: 'Request an amount', amount: 'Amount to request', token: 'Token', note: 'The code asks the sender’s wallet for this amount', copy: 'Copy payment link' },
  speed: { legend: 'Speed', slow: 'Slow', normal: 'Normal', fast: 'Fast', rate: (rate: string) => `${rate} sat/vB` },
  ordinals: { address: 'You can’t send from an ordinals address. Choose your payment address under Account.', kept: 'stay at this address: outputs that may hold ordinals, aren’t confirmed yet, cost more to spend than they are worth, or exceed the limit of one transfer.' },
  namespaces: { list: 'Chains', connect: 'Not connected' },
} as const
