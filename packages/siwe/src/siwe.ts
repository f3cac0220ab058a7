import type { Cacao } from './authClient.ts'
import { formatMessage } from './message.ts'
import type { Siwx } from './siwx.ts'

/** Fields of a message that the site selects. */
export interface SiweMessageParams {
  readonly domain: string
  readonly uri: string
  readonly statement?: string
  /** RFC 3339, like the two below. */
  readonly iat?: string
  readonly exp?: string
  readonly nbf?: string
  readonly requestId?: string
  readonly resources?: readonly string[]
}

/** Everything that a message states. */
export interface SiweMessageArguments extends SiweMessageParams {
  readonly nonce: string
  readonly version: '1'
  /** Number of the chain. */
  readonly chainId: number
  /** `did:pkh:` and a CAIP-10 account. */
  readonly address: string
}

/** Sign-in with functions of the site, for `eip155` only. */
export interface SiweOptions {
  getNonce(address?: string): Promise<string>
  getMessageParams(): Promise<SiweMessageParams> | SiweMessageParams
  /** Formats the text to sign; `formatSiweMessage` is the usual one. */
  createMessage(args: SiweMessageArguments): string
  verifyMessage(args: {
    readonly message: string
    readonly signature: string
    readonly cacao?: Cacao
  }): Promise<boolean>
  /** @returns who is signed in; null or undefined if no account is. */
  getSession(): Promise<{ readonly address: string; readonly chainId: number } | null | undefined>
  signOut(): Promise<boolean>
  readonly enabled?: boolean
  /** Defaults to true. */
  readonly required?: boolean
  /** Defaults to true. */
  readonly signOutOnDisconnect?: boolean
  /** Whether a session is valid on its own chain only. Defaults to false. */
  readonly signOutOnNetworkChange?: boolean
  readonly now?: () => Date
  onSignIn?(session?: { readonly address: string; readonly chainId: number }): void
  onSignOut?(): void
}

/** Formats an ERC-4361 message. */
export function formatSiweMessage({
  address,
  chainId,
  iat,
  exp,
  nbf,
  ...fields
}: SiweMessageArguments): string {
  return formatMessage({
    ...fields,
    namespace: 'eip155',
    address: address.split(':').at(-1) ?? '',
    chainId: String(chainId),
    issuedAt: iat ?? new Date().toISOString(),
    ...(exp && { expirationTime: exp }),
    ...(nbf && { notBefore: nbf }),
  })
}

/** Returns sign-in by a site's own functions in the form that the modal calls; undefined if it is not enabled. */
export function siweToSiwx(options: SiweOptions): Siwx | undefined {
  const { enabled = true, required = true, signOutOnDisconnect = true, now = () => new Date() } = options
  if (!enabled) return undefined

  async function signOut(): Promise<void> {
    await options.signOut()
    options.onSignOut?.()
  }

  return {
    signOutOnDisconnect,
    getRequired: () => required,

    async createMessage({ chainId, accountAddress, notBefore }) {
      const number = numberOf(chainId)
      const params = await options.getMessageParams()
      const nonce = await options.getNonce(`${chainId}:${accountAddress}`)
      const issuedAt = params.iat ?? now().toISOString()
      const nbf = notBefore ?? params.nbf
      const address = `did:pkh:${chainId}:${accountAddress}`
      const text = options.createMessage({
        ...params,
        iat: issuedAt,
        ...(nbf && { nbf }),
        nonce,
        version: '1',
        chainId: number,
        address,
      })
      const { domain, uri, statement, exp, requestId, resources } = params
      return {
        domain,
        uri,
        version: '1',
        nonce,
        issuedAt,
        accountAddress,
        chainId,
        ...(statement && { statement }),
        ...(exp && { expirationTime: exp }),
        ...(nbf && { notBefore: nbf }),
        ...(requestId && { requestId }),
        ...(resources && { resources }),
        toString: () => text,
      }
    },

    async addSession({ message, signature, cacao, data }) {
      numberOf(data.chainId)
      if (!(await options.verifyMessage({ message, signature, ...(cacao && { cacao }) }))) {
        throw new Error('The signature was not accepted')
      }
      options.onSignIn?.((await options.getSession()) ?? undefined)
    },

    async setSessions(sessions) {
      const [first] = sessions
      if (first) await this.addSession(first)
      else await signOut()
    },

    async revokeSession(chainId) {
      if (chainId.startsWith('eip155:')) await signOut()
    },

    async getSessions(chainId, address) {
      const session = chainId.startsWith('eip155:') ? await options.getSession() : undefined
      if (!session || session.address.toLowerCase() !== address.toLowerCase()) return []
      if (options.signOutOnNetworkChange && session.chainId !== numberOf(chainId)) return []
      return [{ data: { accountAddress: address, chainId }, message: '', signature: '' }]
    },
  }
}

function numberOf(chainId: string): number {
  const [namespace, reference] = chainId.split(':')
  if (namespace !== 'eip155') throw new Error(`Sign-in is not available on ${chainId}`)
  return Number(reference)
}
