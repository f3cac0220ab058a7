import { fromBase64 } from '../factors/factorKey.ts'
import {
  type BackupFactor,
  backupFactors,
  dekOf,
  type Owner,
  openDeviceHalf,
  openEntropy,
  openSecretHalf,
  type Secret,
  secretsOfPassword,
} from '../factors/factors.ts'
import { failures } from '../failures.ts'
import { CallError } from '../session/api.ts'
import { prepareSecret, sendFactor } from './addFactor.ts'
import type { Custody } from './custody.ts'
import { rememberDevice, storedDeviceFactor } from './deviceFactor.ts'
import type { OpenWallet } from './openWallet.ts'

/**
 * What has to happen before the wallet is open: nothing, or one of the factors. The list of factors may be
 * empty.
 */
export type UnlockState =
  | { readonly isOpen: true }
  | { readonly isOpen: false; readonly factors: readonly BackupFactor[] }

type SealedWallet = Parameters<typeof openSecretHalf>[0]

/** Opens the wallet by the factor of this device, or by the login where the installation allows it. */
export async function unlock(custody: Custody): Promise<UnlockState> {
  if (custody.current()) return { isOpen: true }
  const device = await storedDeviceFactor(custody)
  if (device) {
    try {
      await openBy(custody, device.id, (_, of) =>
        openDeviceHalf(fromBase64(device.half), of, device.id, custody.keys.storage),
      )
      return { isOpen: true }
    } catch (error) {
      // The factor was removed, or belongs to a wallet that was restored on another device: another factor
      // may still work.
      if (error instanceof CallError && error.reason !== 'FACTOR_ABSENT') throw error
    }
  }
  const { factors } = await custody.sessions.call('WalletService/ListFactors', {})
  const backups = backupFactors(factors)
  const login = backups.find(({ kind }) => kind === 'login')
  if (!login) return { isOpen: false, factors: backups }
  await unlockWith(custody, login.id)
  return { isOpen: true }
}

/** Opens the wallet by another factor, and adds one for this device. @throws CallError for a wrong secret. */
export async function unlockWith(custody: Custody, factorId: string, secret?: Secret): Promise<void> {
  const derived =
    secret?.kind === 'password' ? await deriveFor(custody, factorId, secret.password) : undefined
  const halfOf = async (sealed: SealedWallet, of: Owner) => {
    try {
      return await openSecretHalf(sealed, of, factorId, secret, derived)
    } catch {
      const message = secret?.kind === 'password' ? failures.wrongPassword : failures.wrongPasskey
      throw new CallError('permission_denied', message)
    }
  }
  const { wallet, of } = await openBy(custody, factorId, halfOf, derived?.check)
  await expectSameWallet(custody, wallet)
  await rememberDevice(custody, wallet, of)
  if (secret?.kind === 'password' && !derived) await replacePassword(custody, wallet, of, factorId, secret)
}

async function openBy(
  custody: Custody,
  factorId: string,
  halfOf: (sealed: SealedWallet, of: Owner) => Promise<Uint8Array>,
  check?: string,
) {
  const request = check === undefined ? { factorId } : { factorId, check }
  const sealed = await custody.sessions.call('WalletService/GetSealedWallet', request)
  const of = { userId: await custody.userId(), walletId: sealed.walletId ?? '' }
  const dek = dekOf(await halfOf(sealed, of), sealed)
  return { wallet: await custody.hold(await openEntropy(dek, sealed, of), dek, of), of }
}

async function deriveFor({ sessions }: Custody, factorId: string, password: string) {
  const { factors = [] } = await sessions.call('WalletService/ListFactors', {})
  const factor = factors.find(({ id }) => id === factorId)
  return factor && secretsOfPassword(factor, password)
}

/**
 * Refuses a wallet with other addresses than those that this device derived for the user: the server would choose the keys.
 *
 * @throws CallError
 */
async function expectSameWallet(custody: Custody, opened: OpenWallet): Promise<void> {
  const known = await storedDeviceFactor(custody)
  if (!known || known.addresses.eip155 === opened.addresses.eip155) return
  custody.lock()
  throw new CallError('permission_denied', failures.unknown)
}

/** Replaces a password factor of an earlier release, which anyone with a session could guess. If that fails, the next unlock tries again. */
async function replacePassword(
  custody: Custody,
  wallet: OpenWallet,
  of: Owner,
  replaces: string,
  secret: Secret,
): Promise<void> {
  const factor = await prepareSecret(custody, wallet, of, secret)
  try {
    await sendFactor(custody, factor, replaces)
  } catch (error) {
    if (!(error instanceof CallError)) throw error
  }
}
