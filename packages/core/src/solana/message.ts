import {
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageComputeUnitPrice,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import type { FeeTerms } from '../types/adapter.ts'
import type { NodeRequest } from '../types/environment.ts'

type SolanaTerms = Extract<FeeTerms, { namespace: 'solana' }>

/** The time that a transaction can be included in. */
export interface Lifetime {
  readonly blockhash: Blockhash
  /** Block height after which it cannot. */
  readonly lastValidBlockHeight: bigint
}

/** The lifetime of a transaction for a simulation, which replaces it. */
export const anyLifetime: Lifetime = { blockhash: '1'.repeat(32) as Blockhash, lastValidBlockHeight: 0n }

export async function latestLifetime(node: NodeRequest): Promise<Lifetime> {
  const { value } = (await node('getLatestBlockhash', [{ commitment: 'confirmed' }])) as {
    value: { blockhash: string; lastValidBlockHeight: number }
  }
  return {
    blockhash: value.blockhash as Blockhash,
    lastValidBlockHeight: BigInt(value.lastValidBlockHeight),
  }
}

/** Returns an unsigned transaction in wire format. `from` signs it alone, and pays for it. */
export function compile(
  from: string,
  instructions: readonly Instruction[],
  { computeUnitLimit, computeUnitPrice }: Pick<SolanaTerms, 'computeUnitLimit' | 'computeUnitPrice'>,
  lifetime: Lifetime,
): Uint8Array {
  const empty = setTransactionMessageFeePayer(address(from), createTransactionMessage({ version: 'legacy' }))
  const limited = setTransactionMessageComputeUnitLimit(computeUnitLimit, empty)
  const priced = setTransactionMessageComputeUnitPrice(computeUnitPrice, limited)
  const message = setTransactionMessageLifetimeUsingBlockhash(
    lifetime,
    appendTransactionMessageInstructions(instructions, priced),
  )
  return new Uint8Array(getTransactionEncoder().encode(compileTransaction(message)))
}

export function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
