import type { NewFactorJson } from '@hawser/client/wallet'
import { passwordKey, toBase64 } from '../factors/factorKey.ts'
import { newId, type Owner } from '../factors/factors.ts'
import { randomBytes, seal, split } from '../factors/seal.ts'

/** Returns a password factor as earlier releases made it: without a check, at a lower cost. */
export async function oldPassword(dek: Uint8Array, of: Owner, password: string): Promise<NewFactorJson> {
  const { client, server } = split(dek)
  const id = newId()
  const parameters = { salt: toBase64(randomBytes(16)), memory: 19 * 1024, passes: 2 }
  const key = await passwordKey(password, parameters)
  const half = toBase64(await seal(key, client, `${of.userId}|${of.walletId}|${id}|half`))
  return {
    id,
    kind: 'FACTOR_KIND_PASSWORD',
    label: 'Password',
    serverHalf: toBase64(server),
    record: btoa(JSON.stringify({ half, password: parameters })),
  }
}
