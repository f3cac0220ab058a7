/** Why an extrinsic that is in a block failed. */
export interface DispatchError {
  /** Name of the pallet, or of the kind of an error that belongs to no pallet, such as `Token`. */
  readonly kind: string
  /** Name of the error, empty for kinds that have one only. */
  readonly name: string
  /** Description of the error in the chain's documentation; empty without one. */
  readonly docs: string
}

const noFunds = 'The account had too little for the transfer and what has to stay in it.'
const tooLittle = 'The amount was less than the receiver’s account needs to exist.'
const locked = 'Some of the balance is locked and could not be sent.'

/** The errors that transfers fail with. */
const texts: Readonly<Record<string, string>> = {
  'Token.FundsUnavailable': noFunds,
  'Token.NoFunds': noFunds,
  'Token.NotExpendable': noFunds,
  'Token.OnlyProvider': noFunds,
  'Token.WouldDie': noFunds,
  'Balances.InsufficientBalance': noFunds,
  'Balances.KeepAlive': noFunds,
  'Balances.Expendability': noFunds,
  'Token.BelowMinimum': tooLittle,
  'Token.CannotCreate': tooLittle,
  'Balances.ExistentialDeposit': tooLittle,
  'Token.Frozen': locked,
  'Balances.LiquidityRestrictions': locked,
}

/** Returns a sentence that says why an extrinsic failed. */
export function describeDispatchError({ kind, name, docs }: DispatchError): string {
  const id = name ? `${kind}.${name}` : kind
  return texts[id] ?? (docs || `The network refused it: ${id}.`)
}
