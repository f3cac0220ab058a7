import type { FactorJson } from '@hawser/client/wallet'
import type { BackupFactor, Secret } from '../factors/factors.ts'
import { wipe } from '../factors/seal.ts'
import type { Opening } from './opening.ts'
import { listBackups, type VaultContext } from './vaultContext.ts'

/** What opens the wallet: factors, recovery kits, and the 24 words. */
export interface FactorVault {
  listFactors(): Promise<readonly FactorJson[]>
  /** Returns the factors that open the wallet on a new device. */
  listBackups(): Promise<readonly BackupFactor[]>
  /** Adds a factor, labelled by its kind and this device. */
  addFactor(secret: Secret): Promise<void>
  removeFactor(id: string): Promise<void>
  exportMnemonic(): Promise<string>
  /** Returns the text of a recovery kit, which the password opens. */
  recoveryKit(password: string): Promise<string>
  /** Stores that the user has written down the words of the wallet. */
  recordBackup(): Promise<void>
  /**
   * Opens the user's wallet by a recovery kit. A user without a wallet gets that of the kit.
   *
   * @throws CallError for a wrong password, and for the kit of another wallet.
   */
  restore(kit: string, password: string): Promise<void>
  /** Returns the 24 words of a recovery kit, without the server. @throws CallError for a wrong password. */
  mnemonicOfKit(kit: string, password: string): Promise<string>
}

/** Creates the part of a page's vault that manages what opens the wallet. */
export function createFactorVault(context: VaultContext, opening: Opening): FactorVault {
  const { sessions, wallets } = context
  return {
    listFactors: async () => (await sessions.call('WalletService/ListFactors', {})).factors ?? [],
    listBackups: () => listBackups(context),
    async addFactor(secret) {
      opening.require()
      await wallets.addFactor(secret)
    },
    removeFactor: async (id) =>
      void (await sessions.call('WalletService/RemoveFactor', { id, ...opening.proven('RemoveFactor', id) })),
    async exportMnemonic() {
      opening.require()
      return wallets.mnemonic()
    },
    async recoveryKit(password) {
      opening.require()
      return wallets.recoveryKit(password)
    },
    async recordBackup() {
      opening.require()
      await sessions.call('WalletService/RecordRecoveryKit', {})
    },
    async restore(kit, password) {
      await wallets.restore(await sessions.call('WalletService/GetUser', {}), kit, password)
      opening.bySecret()
    },
    mnemonicOfKit,
  }
}

async function mnemonicOfKit(kit: string, password: string): Promise<string> {
  const [{ openRecoveryKit }, { mnemonicOf }] = await Promise.all([
    import('./recoveryKit.ts'),
    import('../keys/derive.ts'),
  ])
  const { entropy, dek } = await openRecoveryKit(kit, password)
  const words = mnemonicOf(entropy)
  wipe(entropy, dek)
  return words
}
