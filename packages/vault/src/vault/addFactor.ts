import type { NewFactorJson } from '@hawser/client/wallet'
import { newSecretFactor, type Owner, type Secret } from '../factors/factors.ts'
import { wipe } from '../factors/seal.ts'
import { failures } from '../failures.ts'
import { CallError } from '../session/api.ts'
import type { Custody } from './custody.ts'
import type { OpenWallet } from './openWallet.ts'

/** Adds a factor to the open wallet, labelled by its kind and this device. */
export async function addFactor(custody: Custody, secret: Secret): Promise<void> {
  const wallet = custody.opened()
  const owner = custody.owner()
  if (!owner) throw new CallError('internal', failures.unknown)
  await sendFactor(custody, await prepareSecret(custody, wallet, owner, secret))
}

/** Returns a factor of a secret, to be sent to the server. */
export async function prepareSecret(
  { deviceLabel }: Custody,
  wallet: OpenWallet,
  of: Owner,
  secret: Secret,
): Promise<NewFactorJson> {
  const dek = wallet.dek()
  const factor = await newSecretFactor(dek, of, secret, labelOf(secret, deviceLabel))
  wipe(dek)
  return factor
}

/** Sends a factor, which the opened wallet signs, in place of another one if that is named. */
export async function sendFactor(
  { sessions, proveChange }: Custody,
  factor: NewFactorJson,
  replaces?: string,
): Promise<void> {
  const { id = '' } = factor
  const proof = proveChange('AddFactor', replaces ? `${id} ${replaces}` : id)
  await sessions.call('WalletService/AddFactor', {
    factor,
    ...(replaces && { replaces }),
    ...(proof && { proof }),
  })
}

function labelOf({ kind }: Secret, deviceLabel: string): string {
  return kind === 'password' ? 'Password' : `Passkey on ${deviceLabel}`.slice(0, 64)
}
