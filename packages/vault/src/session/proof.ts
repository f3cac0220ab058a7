import { toBase64Url } from '../factors/factorKey.ts'
import { type DeviceKeys, publicJwk, sha256 } from './deviceKeys.ts'

/** A call that a proof is made for. */
export interface ProvenCall {
  /** HTTP method, such as `POST`. */
  readonly method: string
  /** Path without the query. */
  readonly path: string
  readonly body: string
  readonly accessToken?: string | undefined
}

/**
 * Signs the proof of a call with the device key: a DPoP proof (RFC 9449) whose `htu` is the path alone, with the hash of the body
 * as the claim `bh`.
 *
 * @param nowSeconds Unix seconds by the server's clock
 */
export async function proofOf(
  keys: DeviceKeys,
  { method, path, body, accessToken }: ProvenCall,
  nowSeconds: number,
): Promise<string> {
  const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: await publicJwk(keys) }
  const claims = {
    jti: crypto.randomUUID(),
    htm: method,
    htu: path,
    iat: Math.floor(nowSeconds),
    bh: await sha256(body),
    ...(accessToken === undefined ? {} : { ath: await sha256(accessToken) }),
  }
  const signed = `${encode(header)}.${encode(claims)}`
  const parameters = { name: 'ECDSA', hash: 'SHA-256' }
  const signature = await crypto.subtle.sign(
    parameters,
    keys.proof.privateKey,
    new TextEncoder().encode(signed),
  )
  return `${signed}.${toBase64Url(new Uint8Array(signature))}`
}

function encode(value: object): string {
  return toBase64Url(new TextEncoder().encode(JSON.stringify(value)))
}
