import { HttpError } from '../rest/errors.ts'
import type { RestClient } from '../rest/restClient.ts'
import type { Identity, NameRecord, NameSuggestion, ResolvedName } from './answers.ts'

/** A text that says what is to change, and who says so. */
export interface SignedText {
  /** A sentence, see the gateway's `NamesService`, byte for byte as it was signed. */
  readonly message: string
  /** Of `personal_sign`, hex. */
  readonly signature: string
  /** The chain the account is on (ENSIP-11). */
  readonly coinType: number
  /** The account that signed. */
  readonly address: string
}

export interface IdentityOptions {
  readonly signal?: AbortSignal
  /** Asks past what the browser keeps. */
  readonly afresh?: boolean
}

/** The gateway's calls for names. Every method may throw the errors of the REST client. */
export interface Names {
  /** @param address plain, without the CAIP prefix. */
  identity(address: string, options?: IdentityOptions): Promise<Identity>
  /** @returns undefined when nobody has the name. */
  lookup(name: string, signal?: AbortSignal): Promise<NameRecord | undefined>
  /**
   * Where a name of anyone leads, be it in the gateway's zones or elsewhere in the Ethereum Name Service.
   *
   * @returns undefined when nobody has the name, or it leads nowhere for that coin type (ENSIP-11).
   */
  resolve(name: string, coinType: number, signal?: AbortSignal): Promise<ResolvedName | undefined>
  /** The names that lead to an account, the oldest first. */
  reverse(address: string, signal?: AbortSignal): Promise<readonly NameRecord[]>
  /** All names of an account, the oldest first: also those that lead elsewhere, and those that it was given. */
  owned(address: string, signal?: AbortSignal): Promise<readonly NameRecord[]>
  /** @param label what the name should begin with; the first suggestion is the name itself. */
  suggestions(label: string, signal?: AbortSignal): Promise<readonly NameSuggestion[]>
  /** What signed sentences must say they are for. */
  installation(signal?: AbortSignal): Promise<{ readonly installation: string }>
  /** Signed: "register". */
  register(signed: SignedText, signal?: AbortSignal): Promise<void>
  /** Replaces what a name says. Signed: "set the records of". */
  setAttributes(name: string, signed: SignedText, signal?: AbortSignal): Promise<void>
  /** Sets where a name leads for one coin type. Signed: "set an address of". */
  setAddress(name: string, signed: SignedText, signal?: AbortSignal): Promise<void>
  /** Gives a name up. Signed: "release". */
  release(name: string, signed: SignedText, signal?: AbortSignal): Promise<void>
  /** Gives a name to another account. Signed: "transfer". */
  transfer(name: string, signed: SignedText, signal?: AbortSignal): Promise<void>
}

/** The second version answers `[]` for what is not there, where the first refuses. */
const API_VERSION = 2

/** The calls for names, over a REST client. */
export function createNames({ get, post }: RestClient): Names {
  const list = (address: string, owned: boolean, signal?: AbortSignal) =>
    get<readonly NameRecord[]>(
      `/v1/profile/reverse/${encodeURIComponent(address)}`,
      { apiVersion: API_VERSION, owned },
      signal,
    )

  async function tell(path: string, { coinType, ...signed }: SignedText, signal?: AbortSignal) {
    await post(`/v1/profile/account${path}`, { ...signed, coin_type: coinType }, signal)
  }
  const change = (action: string) => (name: string, signed: SignedText, signal?: AbortSignal) =>
    tell(`/${encodeURIComponent(name)}/${action}`, signed, signal)

  return {
    identity: (address, { signal, afresh } = {}) =>
      get(`/v1/identity/${encodeURIComponent(address)}`, {}, signal, afresh ? 'reload' : undefined),
    installation: (signal) => get('/v1/profile/installation', {}, signal),
    async lookup(name, signal) {
      const path = `/v1/profile/account/${encodeURIComponent(name)}`
      const answer = await get<NameRecord | readonly []>(path, { apiVersion: API_VERSION }, signal)
      return isNobody(answer) ? undefined : answer
    },
    async resolve(name, coinType, signal) {
      try {
        return await get(`/v1/resolve/${encodeURIComponent(name)}`, { coinType }, signal)
      } catch (error) {
        if (error instanceof HttpError && isNowhere.has(error.code)) return undefined
        throw error
      }
    },
    reverse: (address, signal) => list(address, false, signal),
    owned: (address, signal) => list(address, true, signal),
    async suggestions(label, signal) {
      const path = `/v1/profile/suggestions/${encodeURIComponent(label)}`
      const answer = await get<{ suggestions: readonly NameSuggestion[] }>(path, {}, signal)
      return answer.suggestions
    },
    register: (signed, signal) => tell('', signed, signal),
    setAttributes: change('attributes'),
    setAddress: change('address'),
    release: change('release'),
    transfer: change('transfer'),
  }
}

/** Refusals that say that a name leads nowhere, and not that nobody could tell. */
const isNowhere: ReadonlySet<string | undefined> = new Set([
  'NAME_ABSENT',
  'NAME_INVALID',
  'COIN_TYPE_UNSUPPORTED',
])

function isNobody(answer: NameRecord | readonly []): answer is readonly [] {
  return Array.isArray(answer)
}
