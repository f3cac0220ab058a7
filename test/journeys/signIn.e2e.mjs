// Runs the servers of docs/sign-in.md as they are written there, against the gateway, with real signatures.
import assert from 'node:assert/strict'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { after, describe, test } from 'node:test'
import { createSiwx } from '@hawser/siwe'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { site } from '../kit/site.mjs'

const document = await readFile(new URL('../../docs/sign-in.md', import.meta.url), 'utf8')
const folder = new URL(`../.tmp/recipes-${process.pid}/`, import.meta.url)
after(() => rm(folder, { recursive: true, force: true }))

for (const [, file = '', code = ''] of document.matchAll(/<!-- file: (\S+) -->\n```js\n([\s\S]*?)```/g)) {
  const target = new URL(file, folder)
  await mkdir(new URL('./', target), { recursive: true })
  await writeFile(target, code)
}

/** @typedef {(request: Request) => Promise<Response>} Server */

/** @type {Record<string, { serve: (file: (path: string) => string) => Promise<Server> }>} */
const recipes = {
  'Next.js': {
    async serve(file) {
      const auth = await import(file('next/app/api/auth/[...path]/route.js'))
      const profile = await import(file('next/app/api/profile/route.js'))
      return (request) => {
        const route = new URL(request.url).pathname === '/api/profile' ? profile : auth
        return route[request.method](request)
      }
    },
  },
  Express: {
    async serve(file) {
      const { app } = await import(file('express/server.js'))
      const listening = createServer(app).listen(0, '127.0.0.1')
      after(() => listening.close())
      await new Promise((resolve) => listening.once('listening', resolve))
      const address = /** @type {import('node:net').AddressInfo} */ (listening.address())
      return async (request) => {
        const { pathname } = new URL(request.url)
        const body = request.method === 'POST' ? await request.text() : undefined
        return fetch(`http://127.0.0.1:${address.port}${pathname}`, {
          method: request.method,
          headers: request.headers,
          ...(body && { body }),
        })
      }
    },
  },
}

const origin = 'http://localhost:4321'
Object.assign(process.env, {
  HAWSER_URL: site.gatewayUrl,
  HAWSER_PROJECT_ID: site.projectId,
  SITE_ORIGIN: origin,
})
const chainId = `eip155:${site.devnet.chains[0]?.chainId}`

/**
 * Opens a page of the site in a browser of its own, which keeps cookies.
 *
 * @param {Server} server
 */
function openPage(server) {
  /** @type {Map<string, string>} */
  const cookies = new Map()
  /** @type {typeof fetch} */
  const send = async (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    headers.set('origin', origin)
    const { method = 'GET', body = null } = init ?? {}
    const response = await server(new Request(new URL(String(input), origin), { method, headers, body }))
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      assert.match(cookie, /HttpOnly/)
      if (value) cookies.set(name, value)
      else cookies.delete(name)
    }
    return response
  }
  /** @type {Map<string, string>} */
  const values = new Map()
  const storage = {
    getItem: (/** @type {string} */ key) => values.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => void values.set(key, value),
    removeItem: (/** @type {string} */ key) => void values.delete(key),
  }
  return {
    siwx: createSiwx({ url: `${origin}/api/auth`, origin, fetch: send, storage }),
    profile: async () => {
      const response = await send('/api/profile')
      return { status: response.status, body: await response.json() }
    },
    stored: () => [...values.values()].join(),
  }
}

for (const [name, { serve }] of Object.entries(recipes)) {
  describe(`the recipe for ${name}`, async () => {
    const server = await serve((path) => new URL(path, folder).href)

    test('signs a visitor in, returns the session, and signs them out', async () => {
      const account = privateKeyToAccount(generatePrivateKey())
      const page = openPage(server)
      assert.equal((await page.profile()).status, 401)
      const data = await page.siwx.createMessage({ chainId, accountAddress: account.address })
      const message = String(data)
      await page.siwx.addSession({ data, message, signature: await account.signMessage({ message }) })
      assert.deepEqual(await page.profile(), { status: 200, body: { address: account.address } })
      assert.equal((await page.siwx.getSessions(chainId, account.address)).length, 1)
      assert.doesNotMatch(page.stored(), /token/)
      await page.siwx.setSessions([])
      assert.equal((await page.profile()).status, 401)
      assert.deepEqual(await page.siwx.getSessions(chainId, account.address), [])
    })

    test('refuses the signature of another account', async () => {
      const page = openPage(server)
      const accountAddress = privateKeyToAccount(generatePrivateKey()).address
      const data = await page.siwx.createMessage({ chainId, accountAddress })
      const message = String(data)
      const signature = await privateKeyToAccount(generatePrivateKey()).signMessage({ message })
      await assert.rejects(page.siwx.addSession({ data, message, signature }), {
        reason: 'SIGNATURE_INVALID',
      })
      assert.equal((await page.profile()).status, 401)
    })

    test('refuses a nonce of another browser', async () => {
      const account = privateKeyToAccount(generatePrivateKey())
      const data = await openPage(server).siwx.createMessage({ chainId, accountAddress: account.address })
      const message = String(data)
      const signature = await account.signMessage({ message })
      const session = { data, message, signature }
      await assert.rejects(openPage(server).siwx.addSession(session), { reason: 'NONCE_INVALID' })
    })
  })
}
