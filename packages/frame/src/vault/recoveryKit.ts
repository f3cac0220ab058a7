import {
  fromBase64,
  newPasswordParameters,
  type PasswordParameters,
  passkeyKey,
  passwordKey,
  toBase64,
} from '../factors/factorKey.ts'
import type { Secret } from '../factors/factors.ts'
import { seal, unseal } from '../factors/seal.ts'
import type { Addresses } from '../keys/derive.ts'

const FORMAT = 'hawser-recovery-kit-1'

/** A file that opens a wallet without the server: its entropy, encrypted by a password or a passkey. */
interface RecoveryKit {
  readonly format: typeof FORMAT
  readonly addresses: Addresses
  /** Base 64: AES-256-GCM with the format as associated data; 12 bytes of nonce first. */
  readonly entropy: string
  /** Argon2id, when it is encrypted by a password. */
  readonly password?: PasswordParameters
  /** Base 64, when it is encrypted by a passkey. */
  readonly credentialId?: string
}

/** Returns the text of a recovery kit. */
export async function sealRecoveryKit(
  entropy: Uint8Array<ArrayBuffer>,
  secret: Secret,
  addresses: Addresses,
): Promise<string> {
  const password = secret.kind === 'password' ? newPasswordParameters() : undefined
  const kit: RecoveryKit = {
    format: FORMAT,
    addresses,
    entropy: toBase64(await seal(await keyOf(secret, password), entropy, FORMAT)),
    ...(password ? { password } : {}),
    ...(secret.kind === 'passkey' ? { credentialId: secret.credentialId } : {}),
  }
  return `${JSON.stringify(kit, null, 2)}\n`
}

/** Returns the entropy of a recovery kit. @throws Error for another text, and for a wrong secret. */
export async function openRecoveryKit(text: string, secret: Secret): Promise<Uint8Array<ArrayBuffer>> {
  const kit = readRecoveryKit(text)
  return unseal(await keyOf(secret, kit.password), fromBase64(kit.entropy), FORMAT)
}

/** Reads the text of a recovery kit. @throws Error for another text. */
function readRecoveryKit(text: string): RecoveryKit {
  const kit = JSON.parse(text) as Partial<RecoveryKit>
  if (kit.format !== FORMAT || typeof kit.entropy !== 'string') throw new Error('file is no recovery kit')
  return kit as RecoveryKit
}

async function keyOf(secret: Secret, parameters: PasswordParameters | undefined): Promise<CryptoKey> {
  if (secret.kind === 'passkey') return passkeyKey(secret.prf)
  if (!parameters) throw new Error('recovery kit is for a passkey')
  return passwordKey(secret.password, parameters)
}
