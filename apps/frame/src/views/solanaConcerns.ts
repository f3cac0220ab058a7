import type { FrameTexts } from '@hawser/texts/frame/texts'
import type { Preview, SolanaInstruction, SolanaTransactionView } from '@hawser/vault'
import type { Concern } from './concerns.ts'

/** Lamports for priority above which the fee is pointed out. */
const HIGH_FEE = 10_000_000n

/** Returns the most that an account pays for transactions, in lamports: what the frame reads, or what the preview says if that is more. */
export function solanaFee(
  transactions: readonly SolanaTransactionView[],
  account: string,
  preview: Pick<Preview, 'fee'> | undefined,
): bigint {
  const paid = transactions.filter(({ message }) => message.feePayer === account)
  const own = paid.reduce((sum, { message }) => sum + message.maxFee, 0n)
  const previewed = paid.length > 0 ? BigInt(preview?.fee || 0) : 0n
  return own > previewed ? own : previewed
}

/** Returns what the instructions and the fee of Solana transactions show without a node. */
export function solanaConcerns(
  transactions: readonly SolanaTransactionView[],
  account: string,
  preview: Pick<Preview, 'fee'> | undefined,
  { solana }: FrameTexts,
): readonly Concern[] {
  const isPreviewed = preview !== undefined
  const danger = (text: string) => [{ isDanger: true, text }]
  const caution = (text: string) => [{ isDanger: false, text }]

  function ofInstruction(instruction: SolanaInstruction): readonly Concern[] {
    switch (instruction.kind) {
      case 'assignment':
        return danger(solana.assignment)
      case 'tokenBurn':
        return danger(solana.burn)
      case 'tokenAuthority':
        return danger(solana.authority)
      case 'tokenClosing':
        return instruction.to === account ? [] : danger(solana.closingForOther)
      case 'nonce':
        return caution(solana.nonce)
      case 'tokenApproval':
        return caution(solana.approval)
      case 'call':
        return isPreviewed ? [] : caution(solana.unknownProgram)
      default:
        return []
    }
  }

  return [
    ...transactions.flatMap(({ message: { instructions } }) => {
      if (instructions) return instructions.flatMap(ofInstruction)
      return isPreviewed ? [] : caution(solana.accountsElsewhere)
    }),
    ...(solanaFee(transactions, account, preview) >= HIGH_FEE ? danger(solana.highFee) : []),
  ]
}
