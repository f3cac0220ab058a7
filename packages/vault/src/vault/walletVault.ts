import type { Secret } from '../factors/factors.ts'
import type { SignRequest } from '../keys/signer.ts'
import { CallError } from '../session/api.ts'
import type { Opening } from './opening.ts'
import type { UnlockState } from './unlockWallet.ts'
import type { VaultContext } from './vaultContext.ts'

/** The wallet of the user, which is open or locked. */
export interface WalletVault {
  /**
   * Creates the wallet of a new user; does nothing for a user with a wallet. Returns false when a secret is needed: this browser
   * would forget the only factor.
   */
  ensureWallet(secret?: Secret): Promise<boolean>
  unlock(): Promise<UnlockState>
  unlockWith(factorId: string, secret?: Secret): Promise<void>
  lock(): Promise<void>
  sign(request: SignRequest): Promise<string>
}

/** Creates the part of a page's vault that opens the wallet and signs. */
export function createWalletVault({ sessions, store, wallets }: VaultContext, opening: Opening): WalletVault {
  return {
    async ensureWallet(secret) {
      const user = await sessions.call('WalletService/GetUser', {})
      if (user.walletId) return true
      if (!secret && !store.persistent && !user.recoveryByLogin) return false
      try {
        await wallets.create(user, secret)
      } catch (error) {
        // Another device of the same user was quicker.
        if (!(error instanceof CallError && error.reason === 'WALLET_EXISTS')) throw error
      }
      return true
    },
    async unlock() {
      const state = await wallets.unlock()
      if (state.isOpen) await opening.byDevice()
      return state
    },
    async unlockWith(factorId, secret) {
      await wallets.unlockWith(factorId, secret)
      if (secret) opening.bySecret()
      else await opening.byDevice()
    },
    lock: async () => wallets.lock(),
    sign: async (request) => wallets.sign(request),
  }
}
