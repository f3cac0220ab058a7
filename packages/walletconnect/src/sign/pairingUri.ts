const TOPIC = /^[0-9a-f]{64}$/i

/** The parts of a `wc:` URI. */
export interface PairingUri {
  /** 64 hex digits. */
  readonly topic: string
  /** 64 hex digits. */
  readonly symKey: string
  /** Unix seconds; absent in URIs of old clients. */
  readonly expiryTimestamp?: number
  /** Methods that the first request may have, beside `wc_sessionPropose`. */
  readonly methods?: readonly string[]
}

/** Formats a pairing as a URI of version 2, for a QR code or a deep link. */
export function formatPairingUri({ topic, symKey, expiryTimestamp, methods }: PairingUri): string {
  const query = ['relay-protocol=irn', `symKey=${symKey}`]
  if (expiryTimestamp !== undefined) query.push(`expiryTimestamp=${expiryTimestamp}`)
  if (methods?.length) query.push(`methods=${methods.join(',')}`)
  return `wc:${topic}@2?${query.join('&')}`
}

/**
 * Parses a pairing URI: `wc:`, `wc://`, or either in base64.
 *
 * @throws Error for another version, another relay protocol, and a topic or key that is not 32 bytes of hex.
 */
export function parsePairingUri(text: string): PairingUri {
  const uri = text.includes('wc:') ? text : decoded(text)
  const match = /^wc:(?:\/\/)?([^@?]+)@(\d+)\?(.*)$/.exec(uri)
  if (!match) throw new Error('not a pairing URI')
  const [, topic = '', version, rest] = match
  const query = new URLSearchParams(rest)
  const symKey = query.get('symKey') ?? ''
  const expiry = Number(query.get('expiryTimestamp') ?? Number.NaN)
  const methods = query.get('methods')
  if (version !== '2') throw new Error(`pairing URI of version ${version}`)
  if (query.get('relay-protocol') !== 'irn') throw new Error('pairing URI of another relay protocol')
  if (!TOPIC.test(topic) || !TOPIC.test(symKey)) throw new Error('pairing URI without a topic or key')
  return {
    topic: topic.toLowerCase(),
    symKey: symKey.toLowerCase(),
    ...(Number.isSafeInteger(expiry) && { expiryTimestamp: expiry }),
    ...(methods && { methods: methods.split(',') }),
  }
}

function decoded(text: string): string {
  try {
    return atob(text)
  } catch {
    return ''
  }
}
