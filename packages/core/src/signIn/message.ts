import type { AuthenticationRequest, Cacao } from '../types/connector.ts'
import type { CaipNetworkId } from '../types/network.ts'
import type { SignInData, SignInMessage, SignInSession } from '../types/signIn.ts'

/** Formats a message of an EVM account (ERC-4361), with the reference of its network as the chain id. */
export function formatMessage(data: SignInData): string {
  const lines = [
    `${data.domain} wants you to sign in with your Ethereum account:`,
    data.accountAddress,
    '',
    ...(data.statement ? [data.statement] : []),
    '',
    `URI: ${data.uri}`,
    `Version: ${data.version}`,
    `Chain ID: ${data.chainId.slice(data.chainId.indexOf(':') + 1)}`,
    `Nonce: ${data.nonce}`,
    ...optional('Issued At', data.issuedAt),
    ...optional('Expiration Time', data.expirationTime),
    ...optional('Not Before', data.notBefore),
    ...optional('Request ID', data.requestId),
    ...(data.resources?.length ? ['Resources:', ...data.resources.map((resource) => `- ${resource}`)] : []),
  ]
  return lines.join('\n')
}

function optional(label: string, value: string | undefined): string[] {
  return value ? [`${label}: ${value}`] : []
}

/** Returns the fields of a message that a wallet is asked to complete and sign with the pairing. */
export function authenticationOf(message: SignInMessage, now: number): AuthenticationRequest {
  const { domain, uri, nonce, statement, expirationTime, notBefore, requestId, resources } = message
  return {
    domain,
    uri,
    nonce,
    issuedAt: message.issuedAt ?? new Date(now).toISOString(),
    ...(statement && { statement }),
    ...(expirationTime && { expirationTime }),
    ...(notBefore && { notBefore }),
    ...(requestId && { requestId }),
    ...(resources && { resources }),
  }
}

/** Returns the session of a signed message that came with a pairing; undefined for an account that cannot be read. */
export function sessionOf(cacao: Cacao): SignInSession | undefined {
  const { p, s } = cacao
  const [, namespace, reference, accountAddress] = /^did:pkh:([-a-z0-9]+):([-\w]+):(\w+)$/.exec(p.iss) ?? []
  if (!namespace || !reference || !accountAddress) return undefined
  const data: SignInData = {
    accountAddress,
    chainId: `${namespace}:${reference}` as CaipNetworkId,
    domain: p.domain,
    uri: p.aud,
    version: p.version,
    nonce: p.nonce,
    issuedAt: p.iat,
    expirationTime: p.exp,
    notBefore: p.nbf,
    statement: p.statement,
    requestId: p.requestId,
    resources: p.resources,
  }
  return { data, message: formatMessage(data), signature: s.s, cacao }
}
