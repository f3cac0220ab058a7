import { type ContactsVault, createContactsVault } from './contactsVault.ts'
import { createFactorVault, type FactorVault } from './factorVault.ts'
import { createGrantVault, type GrantVault } from './grantVault.ts'
import { createLoginVault, type LoginVault } from './loginVault.ts'
import { createOpening } from './opening.ts'
import { createUserVault, type UserVault } from './userVault.ts'
import { createVaultContext, type VaultOptions } from './vaultContext.ts'
import { createWalletVault, type WalletVault } from './walletVault.ts'

/** Everything that uses keys or tokens. It runs in a worker; `vaultPort` carries its calls. */
export interface Vault extends LoginVault, UserVault, WalletVault, FactorVault, GrantVault, ContactsVault {
  /** Returns the origin of the wallet's pages, which proofs for its services name. */
  origin(): Promise<string>
  /** Whether this browser keeps what the device stores. */
  isPersistent(): Promise<boolean>
}

/**
 * Opens the vault of a project in this browser, and returns what serves it to each page. With `mustOpen`, what that page changes or shows
 * needs its own opening of the wallet, by a passkey, a password or a recovery kit where there is one: another page may have opened the wallet
 * by the factor of this device.
 */
export async function openVaults(options: VaultOptions): Promise<(mustOpen: boolean) => Vault> {
  const { origin, store } = options
  const context = await createVaultContext(options)
  return (mustOpen) => {
    const opening = createOpening(context, mustOpen)
    return {
      origin: async () => origin,
      isPersistent: async () => store.persistent,
      ...createLoginVault(context, opening),
      ...createUserVault(context, opening),
      ...createWalletVault(context, opening),
      ...createFactorVault(context, opening),
      ...createGrantVault(context),
      ...createContactsVault(context, opening),
    }
  }
}
