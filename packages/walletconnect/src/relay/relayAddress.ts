import { signClientToken } from '../crypto/clientAuth.ts'
import { randomHex } from '../crypto/keys.ts'
import type { Environment } from '../environment.ts'

const USER_AGENT = 'wc-2/hawser-0.1.0/unknown/browser'
/** A larger difference to the relay's clock is corrected. */
const SKEW_MS = 30_000
const HEALTH_DEADLINE_MS = 10_000

export interface RelayOptions {
  /** `ws:` or `wss:`, without a query. */
  readonly url: string
  /** Read at every connection: the page of a hand-off knows its project later than it creates a client. */
  readonly projectId: string
}

/** The address of a relay with a token of the client, which is dated by the relay's clock. */
export interface RelayAddress {
  /** Returns the address with a new token. */
  create(): string
  /** Reads the relay's clock; false when it agrees with the one that was used, so that it is not the reason. */
  correctClock(): Promise<boolean>
}

/** Creates the address. @param seed Ed25519, 64 hex digits: the client's identity. */
export function createRelayAddress(
  relay: RelayOptions,
  seed: string,
  { clock, fetch }: Environment,
): RelayAddress {
  const { url } = relay
  const nonce = randomHex(32)
  let skewMs = 0
  return {
    create() {
      const issuedAt = Math.floor((clock.now() + skewMs) / 1000)
      const query = new URLSearchParams({
        auth: signClientToken(seed, { audience: url, nonce, issuedAt }),
        projectId: relay.projectId,
        ua: USER_AGENT,
        useOnCloseEvent: 'true',
      })
      return `${url}?${query}`
    },
    async correctClock() {
      try {
        const health = new URL('/health', url.replace(/^ws/, 'http'))
        const response = await fetch(health, { signal: AbortSignal.timeout(HEALTH_DEADLINE_MS) })
        const relayTime = Date.parse(response.headers.get('date') ?? '')
        if (Number.isNaN(relayTime)) return false
        const before = skewMs
        skewMs = relayTime - clock.now()
        return Math.abs(skewMs - before) > SKEW_MS
      } catch {
        return false
      }
    },
  }
}
