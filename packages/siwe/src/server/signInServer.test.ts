import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { formatMessage } from '../message.ts'
import { createFakeAuthService } from '../testing/fakeAuthService.ts'
import { nodeHeaders, toNodeHandler } from './nodeHandler.ts'
import { createSignInServer, type SignInServer } from './signInServer.ts'

const ORIGIN = 'https://shop.example'
const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

let service: ReturnType<typeof createFakeAuthService>
let server: SignInServer
beforeEach(() => {
  service = createFakeAuthService()
  const gateway = { gatewayUrl: 'https://gateway.test/', projectId: 'p1' }
  server = createSignInServer({ ...gateway, origin: ORIGIN, fetch: service.fetch })
})

/** Returns a browser on the site, which keeps cookies. */
function browser(origin = ORIGIN) {
  const cookies = new Map<string, string>()
  const set: string[] = []
  const cookieHeader = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return {
    set,
    headers: () => new Headers({ cookie: cookieHeader() }),
    async call(method: string, path: string, body?: unknown) {
      const response = await server.handle(
        new Request(`${ORIGIN}/api/auth/${path}`, {
          method,
          headers: { cookie: cookieHeader(), ...(method === 'POST' && { origin }) },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      )
      for (const cookie of response.headers.getSetCookie()) {
        set.push(cookie)
        const [pair = ''] = cookie.split(';')
        const [name = '', value = ''] = pair.split('=')
        if (value) cookies.set(name, value)
        else cookies.delete(name)
      }
      return { status: response.status, body: await response.json() }
    },
  }
}

function text(nonce: string): string {
  return formatMessage({
    domain: 'shop.example',
    namespace: 'eip155',
    address: ADDRESS,
    uri: ORIGIN,
    version: '1',
    chainId: '1',
    nonce,
    issuedAt: '2026-01-01T00:00:00Z',
  })
}

async function signIn(page = browser()) {
  const { body } = await page.call('POST', 'nonce')
  const answer = await page.call('POST', 'authenticate', { message: text(body.nonce), signature: '0x01' })
  return { page, answer }
}

describe('a visitor', () => {
  it('signs in, is known by a cookie, and signs out', async () => {
    const { page, answer } = await signIn()
    expect(answer).toMatchObject({ status: 200, body: { session: { address: ADDRESS } } })
    expect((await page.call('GET', 'me')).body).toMatchObject({ address: ADDRESS })
    expect(await server.getSession({ headers: page.headers() })).toMatchObject({ address: ADDRESS })
    await page.call('POST', 'sign-out')
    expect((await page.call('GET', 'me')).status).toBe(401)
    expect(await server.getSession({ headers: page.headers() })).toBeUndefined()
    expect(service.sessions.size).toBe(0)
  })

  it('never sees the tokens: they are in cookies that scripts cannot read', async () => {
    const { page, answer } = await signIn()
    expect(JSON.stringify(answer.body)).not.toContain('token')
    const attributes = /Path=\/; HttpOnly; SameSite=Lax; Secure$/
    expect(page.set).toHaveLength(3)
    for (const cookie of page.set) expect(cookie).toMatch(attributes)
    expect(page.set.map((cookie) => cookie.split('=')[0])).toEqual([
      '__Host-hawser-nonce',
      '__Host-hawser-nonce',
      '__Host-hawser-session',
    ])
  })

  it('of another browser cannot use the nonce', async () => {
    const { body } = await browser().call('POST', 'nonce')
    const stolen = await browser().call('POST', 'authenticate', {
      message: text(body.nonce),
      signature: '0x01',
    })
    expect(stolen).toMatchObject({ status: 401, body: { code: 'NONCE_INVALID' } })
  })
})

describe('a request', () => {
  it.each(['nonce', 'authenticate', 'sign-out'])(
    'to %s of a page of another site is refused',
    async (path) => {
      const { status, body } = await browser('https://evil.example').call('POST', path, {})
      expect([status, body.code]).toEqual([403, 'ORIGIN_REFUSED'])
      expect(service.requests).toEqual([])
    },
  )

  it('reaches the gateway as one of the site, with the project id', async () => {
    await signIn()
    for (const { headers, query } of service.requests) {
      expect(headers.get('origin')).toBe(ORIGIN)
      expect(query).toBe('?projectId=p1')
    }
  })

  it.each([['{'], ['{}'], ['{"message":1,"signature":"0x"}'], ['null']])(
    'with the body %s is refused',
    async (body) => {
      const request = new Request(`${ORIGIN}/authenticate`, {
        method: 'POST',
        headers: { origin: ORIGIN },
        body,
      })
      expect((await server.handle(request)).status).toBe(400)
    },
  )

  it('to another path gets a 404', async () => {
    expect((await browser().call('GET', 'nonce')).status).toBe(404)
  })

  it('gets a 503 without details when the gateway cannot be reached', async () => {
    service.setReachable(false)
    expect(await browser().call('POST', 'nonce')).toMatchObject({
      status: 503,
      body: { code: 'SERVICE_UNAVAILABLE' },
    })
  })
})

it('is a handler of node:http, with a bounded body', async () => {
  const listening = createServer(toNodeHandler(server)).listen(0, '127.0.0.1')
  await new Promise((resolve) => listening.once('listening', resolve))
  const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/api/auth`
  try {
    const response = await fetch(`${url}/nonce`, { method: 'POST', headers: { origin: ORIGIN } })
    expect(response.status).toBe(200)
    expect(response.headers.getSetCookie()).toHaveLength(1)
    const large = { method: 'POST', headers: { origin: ORIGIN }, body: 'a'.repeat(600_000) }
    expect((await fetch(`${url}/authenticate`, large)).status).toBe(400)
    expect(nodeHeaders({ cookie: 'a=b', ':path': '/', 'x-list': ['1', '2'] }).get('x-list')).toBe('1,2')
  } finally {
    listening.close()
  }
})

it('survives a visitor who leaves in the middle of a body', async () => {
  const rejected = vi.fn()
  process.once('unhandledRejection', rejected)
  const handler = toNodeHandler(server)
  const done: Promise<void>[] = []
  const listening = createServer((request, response) => void done.push(handler(request, response))).listen(
    0,
    '127.0.0.1',
  )
  await new Promise((resolve) => listening.once('listening', resolve))
  try {
    const socket = connect((listening.address() as AddressInfo).port, '127.0.0.1')
    socket.write('POST /nonce HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{')
    await vi.waitFor(() => expect(done).toHaveLength(1))
    socket.destroy()
    await expect(done[0]).resolves.toBeUndefined()
    expect(rejected).not.toHaveBeenCalled()
  } finally {
    listening.close()
    process.off('unhandledRejection', rejected)
  }
})

it.each(['TRACE /nonce', 'POST http://[/nonce', 'OPTIONS *'])('answers %s', async (line) => {
  const listening = createServer(toNodeHandler(server)).listen(0, '127.0.0.1')
  await new Promise((resolve) => listening.once('listening', resolve))
  try {
    const socket = connect((listening.address() as AddressInfo).port, '127.0.0.1')
    socket.write(`${line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    let answer = ''
    for await (const chunk of socket) answer += chunk
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /)
  } finally {
    listening.close()
  }
})
