import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { verifyWebhook, WebhookError } from './verify.ts'

// The test vector of Standard Webhooks, whose body is no event.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
const timestamp = 1614265330
const vector = '{"test": 2432232314}'
const vectorSignature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='

const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const body =
  '{"type":"name.registered","timestamp":"2026-01-02T03:04:05Z","data":{"name":{"name":"ä.hawser.id"}}}'

function sign(by: string, text = body) {
  const key = Buffer.from(by.slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')}`
}

function headers(signature: string, more: Record<string, string> = {}) {
  return { 'webhook-id': id, 'webhook-timestamp': `${timestamp}`, 'webhook-signature': signature, ...more }
}

/** Returns why a webhook is refused; undefined if it is not. */
function refusal(
  text: string | Uint8Array,
  given: Record<string, string>,
  secrets: string | string[] = secret,
  now = timestamp,
) {
  try {
    verifyWebhook(text, given, secrets, { now: () => now * 1000 })
    return undefined
  } catch (error) {
    return error instanceof WebhookError ? error.reason : error
  }
}

describe('verifyWebhook', () => {
  it('accepts the signature of the vector of the standard', () => {
    expect(refusal(vector, headers(vectorSignature))).toBe('body')
    expect(refusal(vector, headers(`${vectorSignature.slice(0, -2)}A=`))).toBe('signature')
  })

  it('returns the event and its id, from text, bytes, and headers of the web', () => {
    const now = () => timestamp * 1000
    const want = { id, event: JSON.parse(body) }
    expect(verifyWebhook(body, headers(sign(secret)), secret, { now })).toEqual(want)
    expect(verifyWebhook(new TextEncoder().encode(body), headers(sign(secret)), secret, { now })).toEqual(
      want,
    )
    expect(verifyWebhook(body, new Headers(headers(sign(secret))), secret, { now })).toEqual(want)
  })

  it('accepts both secrets of a rotation', () => {
    const both = headers(`${sign(other)} ${sign(secret)}`)
    for (const secrets of [secret, other, [other, secret]])
      expect(refusal(body, both, secrets)).toBeUndefined()
    expect(refusal(body, headers(sign(secret)), [other, secret])).toBeUndefined()
    expect(refusal(body, headers(sign(secret)), other)).toBe('signature')
  })

  it('accepts five minutes in both directions, and no more', () => {
    const given = headers(sign(secret))
    for (const off of [-300, 300]) expect(refusal(body, given, secret, timestamp + off)).toBeUndefined()
    for (const off of [-301, 301]) expect(refusal(body, given, secret, timestamp + off)).toBe('timestamp')
  })

  it.each([
    ['another body', `${body} `, headers(sign(secret)), 'signature'],
    ['another id', body, headers(sign(secret), { 'webhook-id': 'msg_2' }), 'signature'],
    ['another time', body, headers(sign(secret), { 'webhook-timestamp': `${timestamp + 1}` }), 'signature'],
    ['a part of the signature', body, headers(sign(secret).slice(0, 20)), 'signature'],
    ['an empty signature', body, headers('v1,'), 'signature'],
    ['another version', body, headers(sign(secret).replace('v1', 'v2')), 'signature'],
    ['a signature after a thousand', body, headers(`${'v1,AAAA '.repeat(1000)}${sign(secret)}`), 'signature'],
    ['no id', body, headers(sign(secret), { 'webhook-id': '' }), 'headers'],
    ['no time', body, headers(sign(secret), { 'webhook-timestamp': '' }), 'headers'],
    ['a time that is not a number', body, headers(sign(secret), { 'webhook-timestamp': 'NaN' }), 'headers'],
    ['no signature', body, headers(''), 'headers'],
    ['a body without a type', '{}', headers(sign(secret, '{}')), 'body'],
    ['a body that is not JSON', 'order', headers(sign(secret, 'order')), 'body'],
    ['null', 'null', headers(sign(secret, 'null')), 'body'],
  ])('refuses %s', (_, text, given, reason) => {
    expect(refusal(text, given)).toBe(reason)
  })

  it.each(['', 'whsec_', 'whsec_MfKQ', 'whsec_!!!!', secret.slice(6), `whsec_${'A'.repeat(88)}`])(
    'refuses the secret %j, also without signatures',
    (text) => {
      expect(refusal(body, headers(sign(secret)), text)).toBe('secret')
    },
  )

  it('needs a secret', () => {
    expect(refusal(body, headers(sign(secret)), [])).toBe('secret')
  })

  it('works in a server of Node', async () => {
    const received: string[] = []
    const server = createServer(async (request, response) => {
      const chunks: Uint8Array[] = []
      for await (const chunk of request) chunks.push(chunk)
      try {
        const { event } = verifyWebhook(Buffer.concat(chunks), request.headers, secret, {
          now: () => timestamp * 1000,
        })
        received.push(event.type)
        response.writeHead(204).end()
      } catch {
        response.writeHead(401).end()
      }
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const post = (signature: string) =>
      fetch(`http://127.0.0.1:${port}/webhooks`, { method: 'POST', body, headers: headers(signature) })
    expect((await post(sign(secret))).status).toBe(204)
    expect((await post(sign(other))).status).toBe(401)
    expect(received).toEqual(['name.registered'])
    await new Promise((resolve) => server.close(resolve))
  })
})
