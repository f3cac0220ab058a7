import '../connected.ts'
import { getBase58Decoder } from '@solana/kit'
import { createAccountSessions } from '../connection/accountSessions.ts'
import { importModule } from '../importModule.ts'
import type { ChainAdapter } from '../types/adapter.ts'
import type { Clock } from '../types/environment.ts'
import { type Expiries, readOutcome } from './outcome.ts'

/** Connects Solana wallets. */
export function createSolanaAdapter(clock: Clock): ChainAdapter<'solana'> {
  const expiries: Expiries = new Map()

  return {
    ...createAccountSessions<'solana'>(clock),
    namespace: 'solana',

    async nativeBalance({ node }, address, signal) {
      const params = [address, { commitment: 'confirmed' }]
      const { value } = (await node('getBalance', params, signal)) as { value: number | string }
      return BigInt(value)
    },

    receipt({ node }, signature, signal, lastBlock) {
      const lastHeight = lastBlock === undefined ? expiries.get(signature) : BigInt(lastBlock)
      return readOutcome(node, signature, lastHeight, signal)
    },
    lastBlock: (signature) => expiries.get(signature)?.toString(),

    async signMessage({ provider }, from, message) {
      return getBase58Decoder().decode(await provider.signMessage(from, new TextEncoder().encode(message)))
    },

    async refusalOf(error) {
      const { refusalIn } = await importModule(() => import('./transactions.ts'), 'refusalIn')
      return refusalIn(error)
    },

    async revocations() {
      const { createSolanaRevocations } = await importModule(
        () => import('./transactions.ts'),
        'createSolanaRevocations',
      )
      return createSolanaRevocations(expiries)
    },

    async transfers() {
      const { createSolanaTransfers } = await importModule(
        () => import('./transactions.ts'),
        'createSolanaTransfers',
      )
      return createSolanaTransfers(expiries)
    },
  }
}
