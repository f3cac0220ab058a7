import { type Address, address, createNoopSigner, type Instruction } from '@solana/kit'
import { getRevokeInstruction } from '@solana-program/token'
import type { Approval } from '../types/access.ts'
import type { Revocations } from '../types/adapter.ts'
import type { NodeRequest } from '../types/environment.ts'
import { anyLifetime, base64Of, compile, latestLifetime } from './message.ts'
import type { Expiries } from './outcome.ts'
import { limitedPrice, priorityPrice, sendInstructions, simulate, unlimited } from './sending.ts'
import { isTokenProgram, readAccounts } from './tokenAccounts.ts'

/** Ends what delegates may take from token accounts of both token programs, all in one transaction. */
export function createSolanaRevocations(expiries: Expiries): Revocations<'solana'> {
  return {
    divide: async (_session, _from, approvals) => [approvals],

    async subject({ node }, from, approvals, signal) {
      const instructions = await revokeInstructions(node, from, approvals, signal)
      return { transaction: base64Of(compile(from, instructions, unlimited, anyLifetime)) }
    },

    async send(session, from, approvals, access) {
      const { node } = access
      const [instructions, lifetime] = await Promise.all([
        revokeInstructions(node, from, approvals),
        latestLifetime(node),
      ])
      const written = [address(from), ...approvals.map(({ tokenAccount }) => address(tokenAccount))]
      const [{ computeUnitLimit }, price] = await Promise.all([
        simulate(node, from, { instructions }),
        priorityPrice(node, written, 'normal'),
      ])
      const terms = { computeUnitLimit, computeUnitPrice: limitedPrice(price, computeUnitLimit) }
      return {
        hash: await sendInstructions(session, { from, instructions, terms, lifetime }, access, expiries),
      }
    },
  }
}

/**
 * Returns the instructions that remove the delegates of token accounts.
 *
 * @throws Error when one is no token account; the node's error.
 */
async function revokeInstructions(
  node: NodeRequest,
  from: string,
  approvals: readonly Approval[],
  signal?: AbortSignal,
): Promise<readonly Instruction[]> {
  const owner = createNoopSigner(address(from))
  const sources = approvals.map(({ tokenAccount }) => tokenAccount)
  const accounts = await readAccounts(node, sources, signal)
  return accounts.map((account, index) => {
    if (!account || !isTokenProgram(account.owner)) throw new Error('The account holds no tokens')
    const source = address(sources[index] ?? '')
    return getRevokeInstruction({ source, owner }, { programAddress: account.owner as Address })
  })
}
