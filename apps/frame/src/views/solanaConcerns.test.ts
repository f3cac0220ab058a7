import type { SolanaTransactionView } from '@hawser/vault'
import { expect, it } from 'vitest'
import { solanaFee } from './solanaConcerns.ts'

const transactionOf = (feePayer: string, maxFee: bigint) =>
  ({ transaction: '', message: { feePayer, maxFee } }) as unknown as SolanaTransactionView

it('the fee of Solana transactions is that of the frame or of the preview, whichever is higher', () => {
  const two = [transactionOf('own', 5_000n), transactionOf('own', 7_000n)]
  expect(solanaFee(two, 'own', undefined)).toBe(12_000n)
  expect(solanaFee(two, 'own', { fee: '11999' })).toBe(12_000n)
  expect(solanaFee(two, 'own', { fee: '12001' })).toBe(12_001n)
  expect(solanaFee(two, 'own', { fee: '' })).toBe(12_000n)
})

it('the fee of Solana transactions that another account pays is none', () => {
  expect(solanaFee([transactionOf('another', 5_000n)], 'own', { fee: '9000' })).toBe(0n)
})
