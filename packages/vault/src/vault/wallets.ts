import type { ChangeProofJson, GetUserResponseJson } from '@hawser/client/wallet'
import type { Owner, Secret } from '../factors/factors.ts'
import { randomBytes } from '../factors/seal.ts'
import { failures } from '../failures.ts'
import type { Addresses } from '../keys/derive.ts'
import type { SignRequest } from '../keys/signer.ts'
import { CallError } from '../session/api.ts'
import { addFactor } from './addFactor.ts'
import { makeRecoveryKit, restoreWallet } from './backups.ts'
import { createWallet } from './createWallet.ts'
import { createCustody, type WalletsOptions } from './custody.ts'
import { forgetDevice, storedDeviceFactor } from './deviceFactor.ts'
import { type UnlockState, unlock, unlockWith } from './unlockWallet.ts'

/**
 * The wallet of the signed-in user. Its keys are in memory while it is open, and leave this module only as
 * signatures.
 */
export interface Wallets {
  /** Creates the user's wallet, with a factor for this device where it can store one, and one for the secret. */
  create(user: GetUserResponseJson, secret?: Secret): Promise<void>
  /** Opens the wallet by the factor of this device, or by the login where the installation allows it. */
  unlock(): Promise<UnlockState>
  /** Opens the wallet by another factor, and adds one for this device. @throws CallError for a wrong secret. */
  unlockWith(factorId: string, secret?: Secret): Promise<void>
  /** Adds a factor, labelled by its kind and this device. */
  addFactor(secret: Secret): Promise<void>
  /** Returns the addresses that this device derived itself; undefined before it opened the wallet. */
  knownAddresses(): Promise<Addresses | undefined>
  sign(request: SignRequest): string
  /** Returns an object that differs each time the wallet is opened; undefined while it is locked. */
  opening(): object | undefined
  /**
   * Signs that the user makes a change; returns undefined while the wallet is locked.
   *
   * @param change name of the call, such as `UnlinkIdentity`
   * @param subject what it is about, as `ChangeProof` of the service describes
   */
  proveChange(change: string, subject: string): ChangeProofJson | undefined
  /** Returns the key of the wallet's contacts, and whose wallet it is. @throws CallError while it is locked */
  contactsKey(): Promise<{ readonly key: CryptoKey; readonly owner: Owner }>
  /** Returns the 24 words. */
  mnemonic(): string
  /** Returns the text of a recovery kit. */
  recoveryKit(password: string): Promise<string>
  /**
   * Opens the user's wallet by a recovery kit, and adds a factor for this device. A user without a wallet gets that of the kit, with its
   * password as a factor. @throws CallError for a wrong password, and for the kit of another wallet.
   */
  restore(user: GetUserResponseJson, kit: string, password: string): Promise<void>
  lock(): void
  /** Locks the wallet and deletes this device's half of the wallet of a user. */
  forget(userId: string): Promise<void>
}

/** Creates the wallets of a device: one at a time is open. */
export function createWallets(options: WalletsOptions): Wallets {
  const custody = createCustody(options)
  const { current, opened, proveChange, lock } = custody
  return {
    create: (user, secret) =>
      createWallet(custody, { entropy: randomBytes(32), dek: randomBytes(32) }, user, secret),
    unlock: () => unlock(custody),
    unlockWith: (factorId, secret) => unlockWith(custody, factorId, secret),
    addFactor: (secret) => addFactor(custody, secret),
    knownAddresses: async () => current()?.addresses ?? (await storedDeviceFactor(custody))?.addresses,
    sign: (request) => opened().sign(request),
    opening: current,
    proveChange,
    async contactsKey() {
      const wallet = current()
      const owner = custody.owner()
      if (!wallet || !owner) throw new CallError('failed_precondition', failures.locked)
      const entropy = wallet.entropy()
      const { contactsKey } = await import('../contacts/sealContacts.ts')
      return { key: await contactsKey(entropy), owner }
    },
    mnemonic: () => opened().mnemonic(),
    recoveryKit: (password) => makeRecoveryKit(custody, password),
    restore: (user, kit, password) => restoreWallet(custody, user, kit, password),
    lock,
    async forget(userId) {
      lock()
      await forgetDevice(custody, userId)
    },
  }
}
