import type { AccountChangeJson, GetUserResponseJson, IdentityJson } from '@hawser/client/wallet'
import type { Addresses } from '../keys/derive.ts'
import type { Opening } from './opening.ts'
import type { VaultContext } from './vaultContext.ts'

/** A user as the frame shows them. */
export interface VaultUser {
  readonly id: string
  readonly email: string
  readonly userName: string
  /** Undefined before the wallet is created. */
  readonly addresses: Addresses | undefined
  readonly preferredAccount: 'eoa' | 'smartAccount' | undefined
  /** Whether the wallet can be opened on another device, also by a recovery kit or by its words. */
  readonly hasBackup: boolean
  /** Ways to sign in, also those that wait or end. */
  readonly identities: readonly IdentityJson[]
  /** Changes of the last seven days, the newest first. */
  readonly changes: readonly AccountChangeJson[]
}

/** The user, and the ways to sign in. */
export interface UserVault {
  getUser(): Promise<VaultUser>
  setPreferredAccount(type: 'eoa' | 'smartAccount'): Promise<void>
  /** Starts a change of the email. The opened wallet signs it; a locked one needs a login of the last minutes. */
  startEmailChange(email: string): Promise<'VERIFY_PRIMARY_OTP' | 'VERIFY_SECONDARY_OTP'>
  verifyOldEmail(code: string): Promise<void>
  /** Ends the change of the email. `startsAt` is when a first email signs in (Unix seconds); 0 if it does already. */
  verifyNewEmail(code: string): Promise<{ readonly newEmail: string; readonly startsAt: number }>
  /** Adds the account of the login that was started last to the user, once its owner has proven it. Signed as `startEmailChange`. @throws CallError */
  link(): Promise<void>
  /** Ends a `link` that waits. */
  cancelLink(): Promise<void>
  /** Removes a way to sign in: at once with the opened wallet, and else a day later. Signed as `startEmailChange`. */
  unlinkIdentity(provider: string, subject: string): Promise<void>
  /** Cancels the removal of a way to sign in. Signed as `startEmailChange`; a change that the wallet signed needs it open. */
  keepIdentity(provider: string, subject: string): Promise<void>
  /** Deletes the user. Signed as `startEmailChange`. */
  deleteUser(): Promise<void>
}

/** Creates the part of a page's vault that reads and changes the user. */
export function createUserVault(context: VaultContext, { proven }: Opening): UserVault {
  const { sessions, wallets, social, emailChange } = context
  return {
    async getUser() {
      const user = await sessions.call('WalletService/GetUser', {})
      return userOf(user, await wallets.knownAddresses())
    },
    async setPreferredAccount(type) {
      const named = type === 'eoa' ? 'ACCOUNT_TYPE_EOA' : 'ACCOUNT_TYPE_SMART_ACCOUNT'
      await sessions.call('WalletService/SetPreferredAccount', { type: named })
    },
    startEmailChange: async (address) => emailChange.start(address, proven('StartEmailChange', address)),
    verifyOldEmail: (code) => emailChange.verifyOld(code),
    verifyNewEmail: (code) => emailChange.verifyNew(code),
    link: () =>
      social.link(
        async (handle) =>
          void (await sessions.call('WalletService/LinkSocial', { handle, ...proven('LinkSocial', handle) })),
      ),
    cancelLink: async () => social.cancelLink(),
    async unlinkIdentity(provider, subject) {
      const proof = proven('UnlinkIdentity', `${provider} ${subject}`)
      await sessions.call('WalletService/UnlinkIdentity', { provider, subject, ...proof })
    },
    async keepIdentity(provider, subject) {
      const proof = proven('KeepIdentity', `${provider} ${subject}`)
      await sessions.call('WalletService/KeepIdentity', { provider, subject, ...proof })
    },
    async deleteUser() {
      const session = await sessions.current()
      await sessions.call('WalletService/DeleteUser', proven('DeleteUser', ''))
      await sessions.forget()
      if (session) await wallets.forget(session.userId)
    },
  }
}

function userOf(user: GetUserResponseJson, known: Addresses | undefined): VaultUser {
  return {
    id: user.id ?? '',
    email: user.email ?? '',
    userName: user.userName ?? '',
    addresses: known ?? storedAddresses(user),
    preferredAccount:
      user.preferredAccount === 'ACCOUNT_TYPE_EOA'
        ? 'eoa'
        : user.preferredAccount === 'ACCOUNT_TYPE_SMART_ACCOUNT'
          ? 'smartAccount'
          : undefined,
    hasBackup: user.hasBackupFactor === true || Number(user.recoveryKitAt ?? 0) > 0,
    identities: user.identities ?? [],
    changes: user.changes ?? [],
  }
}

function storedAddresses({ walletId, accounts = [] }: GetUserResponseJson): Addresses | undefined {
  if (!walletId) return undefined
  const of = (namespace: string, kind = '') =>
    accounts.find((account) => account.namespace === namespace && (account.kind ?? '') === kind)?.address ??
    ''
  return {
    eip155: of('eip155'),
    solana: of('solana'),
    bitcoin: of('bip122', 'payment'),
    taproot: of('bip122', 'ordinal'),
  }
}
