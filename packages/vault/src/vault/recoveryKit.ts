import {
  fromBase64,
  newPasswordParameters,
  type PasswordParameters,
  passwordKey,
  toBase64,
} from '../factors/factorKey.ts'
import { seal, unseal, wipe } from '../factors/seal.ts'
import { failures } from '../failures.ts'
import type { Addresses } from '../keys/derive.ts'
import { CallError } from '../session/api.ts'

const FORMAT = 'hawser-recovery-kit-2'
const ENTROPY_BYTES = 32
const DEK_BYTES = 32

/** A file that opens a wallet without the server, by a password of its own. */
interface RecoveryKit {
  readonly format: typeof FORMAT
  readonly addresses: Addresses
  /** Base 64: the entropy and the key that encrypts it, by AES-256-GCM with the format as associated data; 12 bytes of nonce first. */
  readonly secrets: string
  /** Argon2id. */
  readonly password: PasswordParameters
}

/**
 * The content of a recovery kit: the entropy of a wallet, and the key that encrypts the entropy on the
 * server.
 */
export interface WalletSecrets {
  readonly entropy: Uint8Array<ArrayBuffer>
  readonly dek: Uint8Array<ArrayBuffer>
}

/** Returns the text of a recovery kit. */
export async function sealRecoveryKit(
  { entropy, dek }: WalletSecrets,
  password: string,
  addresses: Addresses,
): Promise<string> {
  const parameters = newPasswordParameters()
  const secrets = Uint8Array.from([...entropy, ...dek])
  const sealed = await seal(await passwordKey(password, parameters), secrets, FORMAT)
  wipe(secrets)
  const kit: RecoveryKit = { format: FORMAT, addresses, secrets: toBase64(sealed), password: parameters }
  return `${JSON.stringify(kit, null, 2)}\n`
}

/**
 * Returns the content of a recovery kit.
 *
 * @throws CallError for another text, and for a wrong password.
 */
export async function openRecoveryKit(text: string, password: string): Promise<WalletSecrets> {
  const kit = readRecoveryKit(text)
  let secrets: Uint8Array<ArrayBuffer>
  try {
    secrets = await unseal(await passwordKey(password, kit.password), fromBase64(kit.secrets), FORMAT)
  } catch {
    throw new CallError('permission_denied', failures.wrongKitPassword)
  }
  const entropy = secrets.slice(0, ENTROPY_BYTES)
  const dek = secrets.slice(ENTROPY_BYTES)
  wipe(secrets)
  if (dek.length !== DEK_BYTES) throw new CallError('invalid_argument', failures.notAKit)
  return { entropy, dek }
}

function readRecoveryKit(text: string): RecoveryKit {
  try {
    const kit = JSON.parse(text) as Partial<RecoveryKit> | null
    if (kit?.format === FORMAT && typeof kit.secrets === 'string' && kit.password) return kit as RecoveryKit
  } catch {
    // Reported below.
  }
  throw new CallError('invalid_argument', failures.notAKit)
}
