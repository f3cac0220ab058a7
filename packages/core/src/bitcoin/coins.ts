/** An unspent output. */
export interface Coin {
  /** 64 hex digits. */
  readonly transactionId: string
  readonly index: number
  /** Satoshis. */
  readonly amount: bigint
}

/** What a transfer spends. */
export interface Selection {
  readonly coins: readonly Coin[]
  /** Satoshis that go back to the sender; 0 for none. */
  readonly change: bigint
  /** Satoshis. */
  readonly fee: bigint
  /** Virtual bytes. */
  readonly size: number
}

/** Satoshis below which nodes do not relay an output, for the form of address that needs the most. */
export const DUST = 546n

/** Virtual bytes of a transaction without inputs and outputs. */
const OVERHEAD = 11
/** Virtual bytes of an output without its script. */
const OUTPUT = 9

/**
 * Selects outputs that pay an amount and the fee, in the order given. Change below the dust limit goes to the fee.
 *
 * @param inputSize virtual bytes of an input.
 * @param scriptSizes bytes of the scripts of the receiver and of the sender.
 * @param feeRate satoshis per virtual byte.
 * @returns undefined if the outputs are not enough.
 */
export function selectCoins(
  coins: readonly Coin[],
  amount: bigint,
  { inputSize, receiver, sender }: { inputSize: number; receiver: number; sender: number },
  feeRate: number,
): Selection | undefined {
  let total = 0n
  for (const [index, coin] of coins.entries()) {
    total += coin.amount
    const size = OVERHEAD + inputSize * (index + 1) + OUTPUT + receiver
    const fee = feeOf(size, feeRate)
    if (total < amount + fee) continue
    const selected = coins.slice(0, index + 1)
    const sizeWithChange = size + OUTPUT + sender
    const change = total - amount - feeOf(sizeWithChange, feeRate)
    return change >= DUST
      ? { coins: selected, change, fee: total - amount - change, size: sizeWithChange }
      : { coins: selected, change: 0n, fee: total - amount, size }
  }
  return undefined
}

/** Returns the outputs that hold more than it costs to spend them. */
export function worthSpending(coins: readonly Coin[], inputSize: number, feeRate: number): readonly Coin[] {
  return coins.filter(({ amount }) => amount > feeOf(inputSize, feeRate))
}

/** Returns satoshis. */
export function sumOf(coins: readonly Pick<Coin, 'amount'>[]): bigint {
  return coins.reduce((sum, { amount }) => sum + amount, 0n)
}

/** Returns satoshis, rounded up. */
function feeOf(size: number, feeRate: number): bigint {
  return BigInt(Math.ceil(size * feeRate))
}

/** Returns the selection of all outputs for one receiver, for the quote of all of a balance. */
export function selectAll(
  coins: readonly Coin[],
  { inputSize, receiver }: { inputSize: number; receiver: number },
  feeRate: number,
): Selection {
  const size = OVERHEAD + inputSize * coins.length + OUTPUT + receiver
  return { coins, change: 0n, fee: feeOf(size, feeRate), size }
}
