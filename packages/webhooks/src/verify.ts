import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { WebhookEvent } from './events.ts'

/** The body, byte for byte as it was received: not parsed and written again. */
export type WebhookBody = string | Uint8Array

/** Headers of the web, or of Node and Express, whose names are in lower case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** What a verification may replace. */
export interface WebhookOptions {
  /** Returns the current time in milliseconds; `Date.now` by default. */
  now?: () => number
}

/** Why a webhook was refused. It must not be handled. */
export class WebhookError extends Error {
  override name = 'WebhookError'
  readonly reason: 'secret' | 'headers' | 'timestamp' | 'signature' | 'body'

  constructor(reason: WebhookError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** How far the time of an attempt may be from now, in both directions, in seconds. */
const TOLERANCE = 5 * 60
const PREFIX = 'whsec_'
const MIN_SECRET = 24
const MAX_SECRET = 64
/** How many signatures of one request are compared. */
const MAX_SIGNATURES = 16
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * Verifies a webhook (Standard Webhooks) and returns its event and its id, which is the same in every attempt: store it with what the event changes, and
 * do nothing if it is already there.
 *
 * @param secrets - The secret of the endpoint (`whsec_…`), or during a rotation the new and the old one.
 * @throws WebhookError
 */
export function verifyWebhook(
  body: WebhookBody,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { now = Date.now }: WebhookOptions = {},
): { id: string; event: WebhookEvent } {
  const keys = (typeof secrets === 'string' ? [secrets] : secrets).map(parseSecret)
  if (keys.length === 0) throw new WebhookError('secret', 'There is no secret.')
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  const signatures = header(headers, 'webhook-signature')
  if (!id || !signatures || !timestamp || !/^\d{1,15}$/.test(timestamp))
    throw new WebhookError('headers', 'The headers are not those of a webhook.')
  if (Math.abs(now() / 1000 - Number(timestamp)) > TOLERANCE)
    throw new WebhookError('timestamp', 'The webhook is too old, or from the future.')
  const given = signatures.split(' ', MAX_SIGNATURES).flatMap(parseSignature)
  const isSigned = keys.some((key) => {
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
    return given.some(
      (signature) => signature.length === expected.length && timingSafeEqual(signature, expected),
    )
  })
  if (!isSigned) throw new WebhookError('signature', 'The signature is not of the sender.')
  return { id, event: parseEvent(body) }
}

function parseSecret(text: string): Buffer {
  const encoded = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : ''
  const key = Buffer.from(BASE64.test(encoded) ? encoded : '', 'base64')
  if (key.length < MIN_SECRET || key.length > MAX_SECRET)
    throw new WebhookError('secret', 'The secret is not whsec_ and base64 of 24 to 64 bytes.')
  return key
}

/** Returns the bytes of a signature; none for one of another version of the standard. */
function parseSignature(text: string): Buffer[] {
  const encoded = text.startsWith('v1,') ? text.slice(3) : ''
  return BASE64.test(encoded) ? [Buffer.from(encoded, 'base64')] : []
}

function header(headers: WebhookHeaders, name: string): string | undefined {
  if (isWeb(headers)) return headers.get(name) ?? undefined
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

function isWeb(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function'
}

function parseEvent(body: WebhookBody): WebhookEvent {
  try {
    const event = JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString('utf8'))
    if (typeof event?.type === 'string') return event
  } catch {
    // It is reported below.
  }
  throw new WebhookError('body', 'The body is not an event.')
}
