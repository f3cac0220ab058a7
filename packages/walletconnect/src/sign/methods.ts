const MINUTE = 60
const DAY = 86_400

export interface MethodSpec {
  /** Relay tag of the request; a response has the next one. */
  readonly tag: number
  /** Tag of an error response, when it is not that of a response. */
  readonly rejectTag?: number
  readonly ttlSeconds: number
  readonly prompt?: boolean
}

/** Lifetime of a pairing and of a proposal, in seconds. */
export const PAIRING_SECONDS = 5 * MINUTE
/** Lifetime of a session from its settlement or extension, in seconds. */
export const SESSION_SECONDS = 7 * DAY
/** Bounds of a request's expiry, in seconds. */
export const REQUEST_SECONDS = { least: 5 * MINUTE, most: 7 * DAY }

/** Methods between peers: their relay tags, how long a relay keeps them, and whether a push message is worth it. */
export const methods = {
  wc_pairingDelete: { tag: 1000, ttlSeconds: DAY },
  wc_pairingPing: { tag: 1002, ttlSeconds: 30 },
  wc_sessionPropose: { tag: 1100, rejectTag: 1120, ttlSeconds: PAIRING_SECONDS, prompt: true },
  wc_sessionSettle: { tag: 1102, ttlSeconds: PAIRING_SECONDS },
  wc_sessionUpdate: { tag: 1104, ttlSeconds: DAY },
  wc_sessionExtend: { tag: 1106, ttlSeconds: DAY },
  wc_sessionRequest: { tag: 1108, ttlSeconds: PAIRING_SECONDS, prompt: true },
  wc_sessionEvent: { tag: 1110, ttlSeconds: PAIRING_SECONDS, prompt: true },
  wc_sessionDelete: { tag: 1112, ttlSeconds: DAY },
  wc_sessionPing: { tag: 1114, ttlSeconds: DAY },
  hawser_handoffClaimed: { tag: 1900, ttlSeconds: PAIRING_SECONDS },
  hawser_handoffOpened: { tag: 1902, ttlSeconds: PAIRING_SECONDS },
  hawser_handoffDeclined: { tag: 1904, ttlSeconds: PAIRING_SECONDS },
  wc_sessionAuthenticate: { tag: 1116, rejectTag: 1118, ttlSeconds: 60 * MINUTE, prompt: true },
} as const satisfies Readonly<Record<string, MethodSpec>>

export type Method = keyof typeof methods

export function isMethod(name: string): name is Method {
  return Object.hasOwn(methods, name)
}
