import { formatMessage, type SiwxMessage, type SiwxSession } from '@hawser/siwe'
import { importModule } from '../importModule.ts'
import type { AuthenticationRequest, Cacao } from '../types/connector.ts'

/** Returns the fields of a message that a wallet completes and signs with the pairing. */
export function authenticationOf(message: SiwxMessage): AuthenticationRequest {
  const { domain, uri, nonce, issuedAt, statement, expirationTime, notBefore, requestId, resources } = message
  return {
    domain,
    uri,
    nonce,
    issuedAt,
    ...(statement && { statement }),
    ...(expirationTime && { expirationTime }),
    ...(notBefore && { notBefore }),
    ...(requestId && { requestId }),
    ...(resources && { resources }),
  }
}

/** Returns the session of a signed message that came with a pairing; undefined unless its account is one of eip155. */
export async function sessionOf(cacao: Cacao): Promise<SiwxSession | undefined> {
  const { p, s } = cacao
  const [, reference, signer] = /^did:pkh:eip155:(\d+):(0x[\da-fA-F]{40})$/.exec(p.iss) ?? []
  if (!reference || !signer || p.version !== '1') return undefined
  const { evmAddress } = await importModule(() => import('../evm/accounts.ts'), 'evmAddress')
  const accountAddress = evmAddress(signer) ?? signer
  const namespace = 'eip155'
  const { domain, aud: uri, nonce, iat: issuedAt, statement, exp, nbf, requestId, resources } = p
  const fields = {
    domain,
    uri,
    version: '1' as const,
    nonce,
    issuedAt,
    ...(statement && { statement }),
    ...(exp && { expirationTime: exp }),
    ...(nbf && { notBefore: nbf }),
    ...(requestId && { requestId }),
    ...(resources && { resources }),
  }
  // The text is what was signed, with the address as the wallet spelled it.
  const message = formatMessage({ ...fields, namespace, address: signer, chainId: reference })
  return {
    data: { ...fields, accountAddress, chainId: `${namespace}:${reference}` },
    message,
    signature: s.s,
    cacao,
  }
}
