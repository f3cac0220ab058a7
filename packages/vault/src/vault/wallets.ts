import type { AccountJson, ChangeProofJson, GetUserResponseJson, NewFactorJson } from '@hawser/client/wallet'
import { fromBase64, toBase64 } from '../factors/factorKey.ts'
import {
  type BackupFactor,
  BLOB_VERSION,
  backupFactors,
  dekOf,
  newDeviceFactor,
  newId,
  newLoginFactor,
  newSecretFactor,
  type Owner,
  openDeviceHalf,
  openEntropy,
  openSecretHalf,
  type Secret,
  sealEntropy,
  secretsOfPassword,
} from '../factors/factors.ts'
import { randomBytes, wipe } from '../factors/seal.ts'
import { failures } from '../failures.ts'
import type { Addresses } from '../keys/derive.ts'
import type { SignRequest } from '../keys/signer.ts'
import { CallError } from '../session/api.ts'
import type { DeviceKeys } from '../session/deviceKeys.ts'
import type { DeviceStore } from '../session/deviceStore.ts'
import type { Sessions } from '../session/session.ts'
import type { OpenWallet } from './openWallet.ts'
import { openRecoveryKit, sealRecoveryKit, type WalletSecrets } from './recoveryKit.ts'

/** Key of the half of earlier releases, which had one for all users of a browser. */
const ONLY_DEVICE_FACTOR = 'deviceFactor'
const keyOf = (userId: string) => `${ONLY_DEVICE_FACTOR}:${userId}`
/** An open wallet is locked after this time without a signature. */
const IDLE_MS = 15 * 60_000

/** How long the proof of a change is valid. */
const PROOF_SECONDS = 120

/** The device's half of the key, as it is stored. */
interface DeviceFactor extends Owner {
  readonly id: string
  /** Base 64. */
  readonly half: string
  /** Derived on this device, so that the server cannot replace them. */
  readonly addresses: Addresses
}

/**
 * What has to happen before the wallet is open: nothing, or one of the factors. The list of factors may be
 * empty.
 */
export type UnlockState =
  | { readonly isOpen: true }
  | { readonly isOpen: false; readonly factors: readonly BackupFactor[] }

export interface WalletsOptions {
  readonly sessions: Sessions
  readonly store: DeviceStore
  readonly keys: DeviceKeys
  /** Name of the device for its user, such as `Firefox 141 on Android`. */
  readonly deviceLabel: string
  /** Origin of the wallet's pages. */
  readonly origin: string
  /** Unix seconds by the server's clock. */
  readonly now: () => number
}

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

/** Creates the custody of a device. */
export function createWallets({ sessions, store, keys, deviceLabel, origin, now }: WalletsOptions): Wallets {
  let open: OpenWallet | undefined
  let owner: Owner | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function lock() {
    clearTimeout(timer)
    open?.lock()
    open = undefined
  }

  function opened(): OpenWallet {
    if (!open) throw new CallError('failed_precondition', failures.locked)
    clearTimeout(timer)
    timer = setTimeout(lock, IDLE_MS)
    return open
  }

  async function hold(
    entropy: Uint8Array<ArrayBuffer>,
    dek: Uint8Array<ArrayBuffer>,
    of: Owner,
  ): Promise<OpenWallet> {
    const { openWallet } = await import('./openWallet.ts')
    const wallet = await openWallet(entropy, dek)
    // The user may have signed out meanwhile, and another one signed in.
    if ((await sessions.current())?.userId !== of.userId) {
      wallet.lock()
      throw signedOut()
    }
    lock()
    open = wallet
    owner = of
    return opened()
  }

  async function userId(): Promise<string> {
    const session = await sessions.current()
    if (!session) throw signedOut()
    return session.userId
  }

  async function deviceFactor(): Promise<DeviceFactor | undefined> {
    const user = await userId()
    const own = await store.get<DeviceFactor>(keyOf(user))
    if (own) return own
    const only = await store.get<DeviceFactor>(ONLY_DEVICE_FACTOR)
    return only?.userId === user ? only : undefined
  }

  /**
   * Refuses a wallet with other addresses than those that this device derived for the user: the server would choose the keys.
   *
   * @throws CallError
   */
  async function expectSameWallet(opened: OpenWallet): Promise<void> {
    const known = await deviceFactor()
    if (!known || known.addresses.eip155 === opened.addresses.eip155) return
    lock()
    throw new CallError('permission_denied', failures.unknown)
  }

  /** Returns a factor for this device, to be sent to the server, and what stores its half once the server has it. */
  async function prepareDevice(wallet: OpenWallet, of: Owner) {
    const { factor, half } = await newDeviceFactor(wallet.dek(), of, keys.storage, deviceLabel)
    const { addresses } = wallet
    const stored: DeviceFactor = { ...of, id: factor.id ?? '', half: toBase64(half), addresses }
    return { factor, keep: () => store.put(keyOf(of.userId), stored) }
  }

  async function openBy(
    factorId: string,
    halfOf: (sealed: SealedWallet, of: Owner) => Promise<Uint8Array>,
    check?: string,
  ) {
    const request = check === undefined ? { factorId } : { factorId, check }
    const sealed = await sessions.call('WalletService/GetSealedWallet', request)
    const of = { userId: await userId(), walletId: sealed.walletId ?? '' }
    const dek = dekOf(await halfOf(sealed, of), sealed)
    return { wallet: await hold(await openEntropy(dek, sealed, of), dek, of), of }
  }

  async function unlockWith(factorId: string, secret?: Secret): Promise<void> {
    const derived = secret?.kind === 'password' ? await deriveFor(factorId, secret.password) : undefined
    const halfOf = async (sealed: SealedWallet, of: Owner) => {
      try {
        return await openSecretHalf(sealed, of, factorId, secret, derived)
      } catch {
        const message = secret?.kind === 'password' ? failures.wrongPassword : failures.wrongPasskey
        throw new CallError('permission_denied', message)
      }
    }
    const { wallet, of } = await openBy(factorId, halfOf, derived?.check)
    await expectSameWallet(wallet)
    await rememberDevice(wallet, of)
    if (secret?.kind === 'password' && !derived) await replacePassword(wallet, of, factorId, secret)
  }

  async function deriveFor(factorId: string, password: string) {
    const { factors = [] } = await sessions.call('WalletService/ListFactors', {})
    const factor = factors.find(({ id }) => id === factorId)
    return factor && secretsOfPassword(factor, password)
  }

  /** Replaces a password of an earlier release, which whoever has a session can guess. One that stays is replaced the next time. */
  async function replacePassword(wallet: OpenWallet, of: Owner, replaces: string, secret: Secret) {
    const dek = wallet.dek()
    const factor = await newSecretFactor(dek, of, secret, labelOf(secret, deviceLabel))
    wipe(dek)
    try {
      await add(factor, replaces)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
    }
  }

  /** Adds a factor, which the opened wallet signs, in place of another one if that is named. */
  async function add(factor: NewFactorJson, replaces?: string) {
    const { id = '' } = factor
    const proof = proveChange('AddFactor', replaces ? `${id} ${replaces}` : id)
    await sessions.call('WalletService/AddFactor', {
      factor,
      ...(replaces && { replaces }),
      ...(proof && { proof }),
    })
  }

  function proveChange(change: string, subject: string): ChangeProofJson | undefined {
    if (!open || !owner) return undefined
    const deadline = Math.floor(now()) + PROOF_SECONDS
    const signature = open.proveOwner(origin, owner.userId, { change, subject, deadline })
    return { deadline: String(deadline), signature }
  }

  async function unlock(): Promise<UnlockState> {
    if (open) return { isOpen: true }
    const device = await deviceFactor()
    if (device) {
      try {
        await openBy(device.id, (_, of) =>
          openDeviceHalf(fromBase64(device.half), of, device.id, keys.storage),
        )
        return { isOpen: true }
      } catch (error) {
        // The factor was removed, or belongs to a wallet that was restored on another device: another factor
        // may still work.
        if (error instanceof CallError && error.reason !== 'FACTOR_ABSENT') throw error
      }
    }
    const { factors } = await sessions.call('WalletService/ListFactors', {})
    const backups = backupFactors(factors)
    const login = backups.find(({ kind }) => kind === 'login')
    if (!login) return { isOpen: false, factors: backups }
    await unlockWith(login.id)
    return { isOpen: true }
  }

  /** Adds a factor for this device, where it can store one, and the wallet has room for it. */
  async function rememberDevice(wallet: OpenWallet, of: Owner): Promise<void> {
    if (!store.persistent) return
    const device = await prepareDevice(wallet, of)
    try {
      await add(device.factor)
    } catch (error) {
      // The wallet is open, and its factors can be removed.
      if (error instanceof CallError && error.reason === 'FACTORS_FULL') return
      throw error
    }
    await device.keep()
  }

  async function createWith(
    { entropy, dek }: WalletSecrets,
    { id, recoveryByLogin }: GetUserResponseJson,
    secret: Secret | undefined,
  ): Promise<void> {
    const of = { userId: await userId(), walletId: newId() }
    const blob = await sealEntropy(dek, entropy, of)
    const wallet = await hold(entropy, dek, of)
    const device = store.persistent ? await prepareDevice(wallet, of) : undefined
    const factors = [
      ...(device ? [device.factor] : []),
      ...(secret ? [await newSecretFactor(wallet.dek(), of, secret, labelOf(secret, deviceLabel))] : []),
      ...(recoveryByLogin ? [newLoginFactor(wallet.dek(), 'Login')] : []),
    ]
    try {
      if (factors.length === 0) throw new CallError('failed_precondition', failures.secretNeeded)
      await sessions.call('WalletService/CreateWallet', {
        walletId: of.walletId,
        version: BLOB_VERSION,
        blob: toBase64(blob),
        accounts: accountsOf(wallet.addresses),
        ownerProof: wallet.proveOwner(origin, id ?? ''),
        factors,
      })
    } catch (error) {
      lock()
      throw error
    }
    await device?.keep()
  }

  return {
    create: (user, secret) => createWith({ entropy: randomBytes(32), dek: randomBytes(32) }, user, secret),
    unlock,
    unlockWith,
    async addFactor(secret) {
      const wallet = opened()
      if (!owner) throw new CallError('internal', failures.unknown)
      const dek = wallet.dek()
      const factor = await newSecretFactor(dek, owner, secret, labelOf(secret, deviceLabel))
      wipe(dek)
      await add(factor)
    },
    knownAddresses: async () => open?.addresses ?? (await deviceFactor())?.addresses,
    sign: (request) => opened().sign(request),
    opening: () => open,
    proveChange,
    mnemonic: () => opened().mnemonic(),
    async recoveryKit(password) {
      const wallet = opened()
      const secrets = { entropy: wallet.entropy(), dek: wallet.dek() }
      const kit = await sealRecoveryKit(secrets, password, wallet.addresses)
      wipe(secrets.entropy, secrets.dek)
      await sessions.call('WalletService/RecordRecoveryKit', {})
      return kit
    },
    async restore(user, kit, password) {
      const secrets = await openRecoveryKit(kit, password)
      const { walletId, accounts = [] } = user
      if (!walletId) return createWith(secrets, user, { kind: 'password', password })
      const of = { userId: await userId(), walletId }
      const wallet = await hold(secrets.entropy, secrets.dek, of)
      if (!accounts.some(({ address }) => address === wallet.addresses.eip155)) {
        lock()
        throw new CallError('failed_precondition', failures.otherKit)
      }
      await rememberDevice(wallet, of)
    },
    lock,
    async forget(user) {
      lock()
      await store.delete(keyOf(user))
      const only = await store.get<DeviceFactor>(ONLY_DEVICE_FACTOR)
      if (only?.userId === user) await store.delete(ONLY_DEVICE_FACTOR)
    },
  }
}

function signedOut(): CallError {
  return new CallError('unauthenticated', failures.signedOut, 'SESSION_ABSENT')
}

type SealedWallet = Parameters<typeof openSecretHalf>[0]

function labelOf({ kind }: Secret, deviceLabel: string): string {
  return kind === 'password' ? 'Password' : `Passkey on ${deviceLabel}`.slice(0, 64)
}

function accountsOf({ eip155, solana, bitcoin, taproot }: Addresses): AccountJson[] {
  return [
    { namespace: 'eip155', address: eip155 },
    { namespace: 'solana', address: solana },
    { namespace: 'bip122', address: bitcoin, kind: 'payment' },
    { namespace: 'bip122', address: taproot, kind: 'ordinal' },
  ]
}
