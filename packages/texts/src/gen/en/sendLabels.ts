// Generated from packages/texts/languages by make generate. Do not edit.

/** Labels of the button that sends, by readiness. */
export const sendLabels = {
  selectToken: 'Select token',
  incorrectValue: 'Incorrect value',
  addAmount: 'Enter amount',
  insufficientFunds: 'Insufficient balance',
  insufficientGas: 'Insufficient balance for network fee',
  insufficientReserve: 'Leave more in your account',
  addAddress: 'Enter address',
  invalidAddress: 'Invalid address',
  otherNetwork: 'For another network',
  doubtfulAddress: 'Check the address',
  gasUnavailable: 'Network fee unavailable',
  refused: 'This transfer would fail',
  belowMinimum: 'Amount too small',
  loading: 'Review send',
  ready: 'Review send',
} as const
