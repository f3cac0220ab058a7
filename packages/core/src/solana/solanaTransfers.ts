import { isAddress } from '@solana/kit'
import type { FeeQuote, Transfers } from '../types/adapter.ts'
import { anyLifetime, base64Of, compile, latestLifetime } from './message.ts'
import type { Expiries } from './outcome.ts'
import { limitedPrice, priorityPrice, sendInstructions, simulate, unlimited } from './sending.ts'
import { planTransfer, type TransferPlan } from './transferPlan.ts'

/** Lamports for a transaction's signature. */
const SIGNATURE_FEE = 5_000n
const MICRO_LAMPORTS = 1_000_000n

/** Quotes and sends transfers of SOL, and of tokens of both token programs. */
export function createSolanaTransfers(expiries: Expiries): Transfers<'solana'> {
  return {
    isAddress,

    async quote({ node }, draft, { speed = 'normal', signal } = {}) {
      const plan = await planTransfer(node, draft, signal)
      const [{ computeUnitLimit, rent }, price, reserve] = await Promise.all([
        simulate(node, draft.from, plan, signal),
        priorityPrice(node, plan.written, speed, signal),
        node('getMinimumBalanceForRentExemption', [0], signal),
      ])
      const computeUnitPrice = limitedPrice(price, computeUnitLimit)
      const priority = ceilDiv(computeUnitPrice * BigInt(computeUnitLimit), MICRO_LAMPORTS)
      return {
        amount: SIGNATURE_FEE + priority + rent,
        reserve: BigInt(reserve as number),
        terms: { namespace: 'solana', computeUnitPrice, computeUnitLimit },
        ...(rent > 0n && { rent }),
        ...(plan.tokenFee !== undefined && { tokenFee: plan.tokenFee }),
      }
    },

    async transaction({ node }, draft, fee, signal) {
      const { instructions } = await planTransfer(node, draft, signal)
      const terms = fee?.terms.namespace === 'solana' ? fee.terms : unlimited
      return base64Of(compile(draft.from, instructions, terms, anyLifetime))
    },

    async send(session, draft, { caipNetworkId, fee }, { node }) {
      if (fee?.terms.namespace !== 'solana') throw new Error('The transfer has no fee')
      const [plan, lifetime] = await Promise.all([planTransfer(node, draft), latestLifetime(node)])
      requireQuoted(plan, fee)
      const message = { from: draft.from, instructions: plan.instructions, terms: fee.terms, lifetime }
      return sendInstructions(session, message, { caipNetworkId, node }, expiries)
    },
  }
}

/**
 * Verifies a transfer against its quote.
 *
 * @throws Error when the transfer would cost more than was shown, as when the receiver's account was closed
 * since.
 */
function requireQuoted({ created, tokenFee = 0n }: TransferPlan, quoted: FeeQuote): void {
  if (created && !quoted.rent) throw new Error('The account of the receiver has to be made')
  if (tokenFee > (quoted.tokenFee ?? 0n)) throw new Error('The fee of the token is higher')
}

function ceilDiv(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by
}
