import type { AccountJson, GetUserResponseJson } from '@hawser/client/wallet'
import { toBase64 } from '../factors/factorKey.ts'
import { BLOB_VERSION, newId, newLoginFactor, type Secret, sealEntropy } from '../factors/factors.ts'
import { failures } from '../failures.ts'
import type { Addresses } from '../keys/derive.ts'
import { CallError } from '../session/api.ts'
import { prepareSecret } from './addFactor.ts'
import type { Custody } from './custody.ts'
import { prepareDevice } from './deviceFactor.ts'
import type { WalletSecrets } from './recoveryKit.ts'

/** Creates the user's wallet of new or restored secrets, with a factor for this device where it can store one, and one for the secret. */
export async function createWallet(
  custody: Custody,
  { entropy, dek }: WalletSecrets,
  { id, recoveryByLogin }: GetUserResponseJson,
  secret: Secret | undefined,
): Promise<void> {
  const { sessions, store, origin } = custody
  const of = { userId: await custody.userId(), walletId: newId() }
  const blob = await sealEntropy(dek, entropy, of)
  const wallet = await custody.hold(entropy, dek, of)
  const device = store.persistent ? await prepareDevice(custody, wallet, of) : undefined
  const factors = [
    ...(device ? [device.factor] : []),
    ...(secret ? [await prepareSecret(custody, wallet, of, secret)] : []),
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
    custody.lock()
    throw error
  }
  await device?.keep()
}

function accountsOf({ eip155, solana, bitcoin, taproot }: Addresses): AccountJson[] {
  return [
    { namespace: 'eip155', address: eip155 },
    { namespace: 'solana', address: solana },
    { namespace: 'bip122', address: bitcoin, kind: 'payment' },
    { namespace: 'bip122', address: taproot, kind: 'ordinal' },
  ]
}
