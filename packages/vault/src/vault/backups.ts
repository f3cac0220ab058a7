import type { GetUserResponseJson } from '@hawser/client/wallet'
import { wipe } from '../factors/seal.ts'
import { failures } from '../failures.ts'
import { CallError } from '../session/api.ts'
import { createWallet } from './createWallet.ts'
import type { Custody } from './custody.ts'
import { rememberDevice } from './deviceFactor.ts'
import { openRecoveryKit, sealRecoveryKit } from './recoveryKit.ts'

/** Returns the text of a recovery kit of the open wallet, and stores that the user has one. */
export async function makeRecoveryKit(custody: Custody, password: string): Promise<string> {
  const wallet = custody.opened()
  const secrets = { entropy: wallet.entropy(), dek: wallet.dek() }
  const kit = await sealRecoveryKit(secrets, password, wallet.addresses)
  wipe(secrets.entropy, secrets.dek)
  await custody.sessions.call('WalletService/RecordRecoveryKit', {})
  return kit
}

/** Opens the user's wallet by a recovery kit, as `Wallets.restore` does. */
export async function restoreWallet(
  custody: Custody,
  user: GetUserResponseJson,
  kit: string,
  password: string,
): Promise<void> {
  const secrets = await openRecoveryKit(kit, password)
  const { walletId, accounts = [] } = user
  if (!walletId) return createWallet(custody, secrets, user, { kind: 'password', password })
  const of = { userId: await custody.userId(), walletId }
  const wallet = await custody.hold(secrets.entropy, secrets.dek, of)
  if (!accounts.some(({ address }) => address === wallet.addresses.eip155)) {
    custody.lock()
    throw new CallError('failed_precondition', failures.otherKit)
  }
  await rememberDevice(custody, wallet, of)
}
