import { texts } from '../texts.ts'

/** The browser made or used no passkey. The message is a sentence for the operator. */
export class PasskeyError extends Error {
  override readonly name = 'PasskeyError'
}

/** Reports whether this browser has passkeys for the origin of the page: https, or localhost, and no IP address. */
export function hasPasskeys({ hostname }: Pick<Location, 'hostname'> = location): boolean {
  return (
    isSecureContext &&
    !/^[\d.]+$|^\[/.test(hostname) &&
    typeof PublicKeyCredential === 'function' &&
    'parseRequestOptionsFromJSON' in PublicKeyCredential
  )
}

/**
 * Makes a passkey.
 *
 * @param options PublicKeyCredentialCreationOptionsJSON of the server.
 * @returns RegistrationResponseJSON.
 * @throws PasskeyError
 */
export async function makePasskey(options: string): Promise<string> {
  return answer(() =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(options)),
    }),
  )
}

/**
 * Signs a challenge with a passkey that the operator chooses.
 *
 * @param options PublicKeyCredentialRequestOptionsJSON of the server.
 * @returns AuthenticationResponseJSON.
 * @throws PasskeyError
 */
export async function askPasskey(options: string): Promise<string> {
  return answer(() =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(options)),
    }),
  )
}

async function answer(ask: () => Promise<Credential | null>): Promise<string> {
  const credential = await ask().catch((error: unknown) => {
    throw new PasskeyError(textOf(error), { cause: error })
  })
  if (!(credential instanceof PublicKeyCredential)) throw new PasskeyError(texts.passkeys.none)
  return JSON.stringify(credential.toJSON())
}

function textOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'InvalidStateError') return texts.passkeys.exists
  // Browsers do not tell a refusal from a passkey that is not there, so that pages cannot probe for passkeys.
  if (error instanceof DOMException && error.name === 'NotAllowedError') return texts.passkeys.none
  return texts.passkeys.failed
}
