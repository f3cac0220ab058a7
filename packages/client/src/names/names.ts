import type { RestClient } from '../rest/restClient.ts'
import type { Identity, NameRecord, NameSuggestion } from './answers.ts'

/** A signed wish for a name. */
export interface Registration {
  /** JSON of name, attributes and timestamp in seconds, byte for byte as it was signed. */
  readonly message: string
  /** Of `personal_sign`, hex. */
  readonly signature: string
  /** The chain the account is on (ENSIP-11). */
  readonly coinType: number
  /** The account that signed. */
  readonly address: string
}

/** The gateway's calls for names. Every method may throw the errors of the REST client. */
export interface Names {
  /** @param address plain, without the CAIP prefix. */
  identity(address: string, signal?: AbortSignal): Promise<Identity>
  /** @returns undefined when nobody has the name. */
  lookup(name: string, signal?: AbortSignal): Promise<NameRecord | undefined>
  /** The names that lead to an account, the oldest first. */
  reverse(address: string, signal?: AbortSignal): Promise<readonly NameRecord[]>
  /** @param label what the name should begin with; the first suggestion is the name itself. */
  suggestions(label: string, signal?: AbortSignal): Promise<readonly NameSuggestion[]>
  register(registration: Registration, signal?: AbortSignal): Promise<void>
}

/** The second version answers `[]` for what is not there, where the first refuses. */
const API_VERSION = 2

/** The calls for names, over a REST client. */
export function createNames({ get, post }: RestClient): Names {
  return {
    identity: (address, signal) => get(`/v1/identity/${encodeURIComponent(address)}`, {}, signal),
    async lookup(name, signal) {
      const path = `/v1/profile/account/${encodeURIComponent(name)}`
      const answer = await get<NameRecord | readonly []>(path, { apiVersion: API_VERSION }, signal)
      return isNobody(answer) ? undefined : answer
    },
    reverse: (address, signal) =>
      get(`/v1/profile/reverse/${encodeURIComponent(address)}`, { apiVersion: API_VERSION }, signal),
    async suggestions(label, signal) {
      const path = `/v1/profile/suggestions/${encodeURIComponent(label)}`
      const answer = await get<{ suggestions: readonly NameSuggestion[] }>(path, {}, signal)
      return answer.suggestions
    },
    async register({ coinType, ...signed }, signal) {
      await post('/v1/profile/account', { ...signed, coin_type: coinType }, signal)
    },
  }
}

function isNobody(answer: NameRecord | readonly []): answer is readonly [] {
  return Array.isArray(answer)
}
