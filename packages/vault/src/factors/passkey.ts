import { FailureError, failures } from '../failures.ts'
import { fromBase64, PRF_INPUT, toBase64 } from './factorKey.ts'
import type { Secret } from './factors.ts'
import { randomBytes } from './seal.ts'

type PasskeySecret = Extract<Secret, { kind: 'passkey' }>

/** ES256, EdDSA and RS256 (COSE). */
const ALGORITHMS = [-7, -8, -257]

interface PrfOutputs {
  readonly prf?: { readonly enabled?: boolean; readonly results?: { readonly first?: BufferSource } }
}

/** Reports whether the browser has passkeys at all. Only their creation says whether they have the PRF extension. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function'
}

/** Creates a passkey for a user, and reads its PRF. @throws Error when the user cancels, or the passkey has no PRF. */
export async function createPasskey(userId: string, userName: string): Promise<PasskeySecret> {
  const credential = (await navigator.credentials.create({
    publicKey: {
      rp: { id: location.hostname, name: 'Wallet' },
      user: { id: new TextEncoder().encode(userId), name: userName, displayName: userName },
      challenge: randomBytes(32),
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      extensions: { prf: { eval: { first: PRF_INPUT } } } as AuthenticationExtensionsClientInputs,
    },
  })) as PublicKeyCredential | null
  if (!credential) throw new FailureError(failures.weakPasskey)
  const credentialId = toBase64(new Uint8Array(credential.rawId))
  const prf = prfOf(credential)
  // Some authenticators evaluate the PRF only when the passkey is used.
  return prf ? { kind: 'passkey', credentialId, prf } : readPasskey([credentialId])
}

/** Uses one of the passkeys. @throws Error when the user cancels, or the passkey has no PRF. */
export async function readPasskey(credentialIds: readonly string[]): Promise<PasskeySecret> {
  const credential = (await navigator.credentials.get({
    publicKey: {
      rpId: location.hostname,
      challenge: randomBytes(32),
      allowCredentials: credentialIds.map((id) => ({ type: 'public-key', id: fromBase64(id) })),
      userVerification: 'required',
      extensions: { prf: { eval: { first: PRF_INPUT } } } as AuthenticationExtensionsClientInputs,
    },
  })) as PublicKeyCredential | null
  const prf = credential && prfOf(credential)
  if (!prf) throw new FailureError(failures.weakPasskey)
  return { kind: 'passkey', credentialId: toBase64(new Uint8Array(credential.rawId)), prf }
}

function prfOf(credential: PublicKeyCredential): Uint8Array<ArrayBuffer> | undefined {
  const { prf } = credential.getClientExtensionResults() as PrfOutputs
  const first = prf?.results?.first
  if (!first) return undefined
  return ArrayBuffer.isView(first)
    ? new Uint8Array(first.buffer as ArrayBuffer, first.byteOffset, first.byteLength).slice()
    : new Uint8Array(first)
}
