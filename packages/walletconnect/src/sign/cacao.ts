import { base64ToBytes, bytesToBase64, bytesToUtf8, utf8ToBytes } from '../crypto/encoding.ts'
import type { ApprovedNamespaces } from './namespaces.ts'
import type { Cacao, CacaoPayload } from './session.ts'

const RECAP = 'urn:recap:'
const AUTHORISATION = 'I further authorize the stated URI to perform the following actions on my behalf:'
const EVENTS = ['accountsChanged', 'chainChanged']

/** The sign-in message that a site requests, without the account (CAIP-122). Times are RFC 3339. */
export interface AuthPayload {
  readonly type: 'caip122'
  /** CAIP-2, all of `eip155`. */
  readonly chains: readonly string[]
  readonly domain: string
  readonly aud: string
  readonly version: '1'
  readonly nonce: string
  readonly iat: string
  readonly nbf?: string
  readonly exp?: string
  readonly statement?: string
  readonly requestId?: string
  readonly resources?: readonly string[]
}

/** What a recap grants: methods by chain (ERC-5573). */
interface Recap {
  readonly att: Readonly<Record<string, Readonly<Record<string, readonly { chains?: readonly string[] }[]>>>>
}

/** Encodes the methods that a session may call as the resource of a sign-in message (ERC-5573). */
export function formatRecap(methods: readonly string[], chains: readonly string[]): string {
  const abilities = [...methods].sort().map((method) => [`request/${method}`, [{ chains }]])
  const recap = { att: { eip155: Object.fromEntries(abilities) } }
  return RECAP + bytesToBase64(utf8ToBytes(JSON.stringify(recap))).replace(/=+$/, '')
}

/**
 * Formats the message that a CACAO's account signs: ERC-4361, with the text of a recap after the statement.
 *
 * @throws Error for an issuer that is no `did:pkh` of `eip155`.
 */
export function formatCacaoMessage(payload: CacaoPayload): string {
  const { chainId, address } = issuerOf(payload)
  const { resources, exp, nbf, requestId } = payload
  const statement = statementOf(payload)
  const lines = [
    `${payload.domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    ...(statement ? [statement] : []),
    '',
    `URI: ${payload.aud}`,
    `Version: ${payload.version}`,
    `Chain ID: ${chainId.slice('eip155:'.length)}`,
    `Nonce: ${payload.nonce}`,
    `Issued At: ${payload.iat}`,
    ...(exp ? [`Expiration Time: ${exp}`] : []),
    ...(nbf ? [`Not Before: ${nbf}`] : []),
    ...(requestId ? [`Request ID: ${requestId}`] : []),
    ...(resources?.length ? ['Resources:', ...resources.map((resource) => `- ${resource}`)] : []),
  ]
  return lines.join('\n')
}

/**
 * Returns the namespaces of the session that signed messages grant; the accounts are those that signed.
 *
 * Signatures are not verified: the server that issued the nonce does that.
 *
 * @throws Error for messages that are not what was requested, or that grant no method.
 */
export function namespacesOf(cacaos: readonly Cacao[], requested: AuthPayload): ApprovedNamespaces {
  const accounts = new Set<string>()
  const methods = new Set<string>()
  for (const { p } of cacaos) {
    requireSame(p, requested)
    const { chainId, address } = issuerOf(p)
    if (!requested.chains.includes(chainId)) throw new Error('signed for a chain that was not requested')
    accounts.add(`${chainId}:${address}`)
    for (const [ability, [grant]] of Object.entries(recapOf(p)?.att.eip155 ?? {})) {
      if (!ability.startsWith('request/')) continue
      methods.add(ability.slice('request/'.length))
      for (const chain of grant?.chains ?? []) {
        if (requested.chains.includes(chain)) accounts.add(`${chain}:${address}`)
      }
    }
  }
  if (accounts.size === 0 || methods.size === 0) throw new Error('no method was granted')
  const chains = [...new Set([...accounts].map((account) => account.slice(0, account.lastIndexOf(':'))))]
  return { eip155: { chains, accounts: [...accounts], methods: [...methods], events: EVENTS } }
}

function requireSame(signed: CacaoPayload, requested: AuthPayload): void {
  for (const field of ['domain', 'aud', 'version', 'nonce', 'nbf', 'exp', 'requestId'] as const) {
    if ((signed[field] ?? '') !== (requested[field] ?? '')) throw new Error(`signed for another ${field}`)
  }
}

/** @returns the chain (CAIP-2) and address of the account that signs. */
function issuerOf({ iss }: CacaoPayload): { chainId: string; address: string } {
  const match = /^did:pkh:(eip155:\d{1,32}):(0x[0-9a-f]{40})$/i.exec(iss)
  if (!match) throw new Error('the issuer is no EVM account')
  return { chainId: match[1] ?? '', address: match[2] ?? '' }
}

function statementOf(payload: CacaoPayload): string {
  const { statement = '' } = payload
  const recap = recapOf(payload)
  if (!recap || statement.includes(AUTHORISATION)) return statement
  const actions = Object.entries(recap.att).flatMap(([resource, abilities]) => {
    const byKind = new Map<string, string[]>()
    for (const ability of Object.keys(abilities).sort()) {
      const [kind = '', action = ''] = ability.split('/')
      byKind.set(kind, [...(byKind.get(kind) ?? []), `'${action}'`])
    }
    return [...byKind].map(([kind, names]) => `'${kind}': ${names.join(', ')} for '${resource}'.`)
  })
  const numbered = actions.map((action, at) => `(${at + 1}) ${action}`)
  return [statement, AUTHORISATION, ...numbered].filter(Boolean).join(' ')
}

/** Returns the recap of a message, its last resource; undefined without one. */
function recapOf({ resources }: Pick<CacaoPayload, 'resources'>): Recap | undefined {
  const last = resources?.at(-1)
  if (!last?.startsWith(RECAP)) return undefined
  const recap = JSON.parse(bytesToUtf8(base64ToBytes(last.slice(RECAP.length)))) as Recap | null
  return recap?.att ? recap : undefined
}
