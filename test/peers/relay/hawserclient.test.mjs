// Our Sign client with the official SDKs at the other end, and with itself, over a real relay.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { privateKeyToAccount } from 'viem/accounts'
import WebSocket from 'ws'
import { createSignClient, formatCacaoMessage } from '../../../packages/walletconnect/dist/exports/index.js'
import { createWalletClient } from '../../../packages/walletconnect/dist/exports/wallet.js'
import {
  account,
  answerRequests,
  approved,
  close,
  makeSignClient,
  makeWalletKit,
  next,
  projectId,
  sign,
  versions,
  wanted,
} from './peers.mjs'
import { startRelay, startReplicas, stopAll } from './relay.mjs'

/** @type {Awaited<ReturnType<typeof startRelay>>} */
let relay
/** @type {{ close: () => unknown }[]} */
const clients = []

before(async () => {
  relay = await startRelay()
})
after(async () => {
  for (const client of clients) await client.close()
  await stopAll()
  // The SDKs leave timers behind.
  setTimeout(() => process.exit(), 1000).unref()
})

const moved = {
  eip155: { ...approved.eip155, accounts: [account, account.replace('eip155:1:', 'eip155:10:')] },
}
const chainId = 'eip155:1'

/**
 * @template {{ close: () => unknown }} T
 * @param {T} client
 * @returns {T}
 */
function closed(client) {
  clients.push(client)
  return client
}

/** @param {string} name */
function options(name, url = relay.url) {
  /** @type {Map<string, string>} */
  const values = new Map()
  /** @type {string[]} */
  const sockets = []
  return {
    sockets,
    relays: /** @type {const} */ ([{ url, projectId }]),
    metadata: { name, description: name, url: `https://${name}.test`, icons: [] },
    environment: {
      storage: {
        getItem: (/** @type {string} */ key) => values.get(key) ?? null,
        setItem: (/** @type {string} */ key, /** @type {string} */ value) => void values.set(key, value),
        removeItem: (/** @type {string} */ key) => void values.delete(key),
      },
      openSocket(/** @type {string} */ address) {
        sockets.push(address)
        return /** @type {any} */ (new WebSocket(address))
      },
    },
  }
}

/**
 * Makes a site with our client, which records its events.
 *
 * @param {ReturnType<typeof options>} [given]
 */
function makeSite(given = options('site')) {
  /** @type {any[]} */
  const received = []
  const site = createSignClient(given, {
    updated: ({ namespaces }) => void received.push(['updated', namespaces]),
    deleted: () => void received.push(['deleted']),
    event: (_, { name, data }) => void received.push([name, data]),
  })
  return { site: closed(site), received, ...given }
}

/**
 * Makes a wallet with our client that approves and signs everything.
 *
 * @param {ReturnType<typeof options>} [given]
 * @param {import('../../../packages/walletconnect/dist/exports/wallet.js').WalletListener} [listener]
 */
function makeWallet(given = options('wallet'), listener = {}) {
  /** @type {string[]} */
  const received = []
  const wallet = createWalletClient(given, {
    proposed: ({ approve }) => void approve({ namespaces: approved }).catch(ignoreClose),
    requested: ({ params, respond }) =>
      void respond(`signed: ${/** @type {string[]} */ (params)[0]}`).catch(ignoreClose),
    deleted: () => void received.push('deleted'),
    ...listener,
  })
  return { wallet: closed(wallet), received, ...given }
}

/**
 * @param {ReturnType<typeof makeSite>['site']} site
 * @param {string} topic
 * @param {string} message
 */
const request = (site, topic, message) =>
  site.request({ topic, chainId, method: 'personal_sign', params: [message, account.slice(9)] })

/** What was not acknowledged when a client is closed is rejected. @param {Error} error */
function ignoreClose(error) {
  assert.equal(error.message, 'the client is closed')
}

/** @param {() => unknown} isTrue */
async function until(isTrue) {
  for (const start = Date.now(); !isTrue(); await sleep(20)) {
    assert.ok(Date.now() - start < 20_000, `not within 20 s: ${isTrue}`)
  }
}

describe('our site and WalletKit 1.2.4', { timeout: 120_000 }, () => {
  /** @type {any} */
  let kit
  before(async () => {
    kit = await makeWalletKit(relay.url)
    answerRequests(kit)
  })
  after(() => close(kit))

  async function pair(site = makeSite()) {
    const { uri, approval } = site.site.pair({ optionalNamespaces: wanted })
    const proposed = next(kit, 'session_proposal')
    await kit.pair({ uri })
    const { id } = await proposed
    await kit.approveSession({ id, namespaces: approved })
    return { ...site, session: await approval }
  }

  test('live a session until the site ends it', async () => {
    const { site, received, session } = await pair()
    const { topic } = session
    assert.deepEqual(session.namespaces, approved)
    assert.equal(await request(site, topic, 'hello'), 'signed: hello')
    await site.ping(topic)
    // The SDK's own `acknowledged()` never ends when the answer is there before it is called.
    await kit.updateSession({ topic, namespaces: moved })
    await until(() => received.length > 0)
    assert.deepEqual(received.at(-1), ['updated', moved])
    await kit.emitSessionEvent({ topic, event: { name: 'chainChanged', data: 1 }, chainId })
    await until(() => received.some(([name]) => name === 'chainChanged'))
    const receivedBefore = received.length
    await kit.extendSession({ topic })
    await until(() => received.length > receivedBefore)
    const deleted = next(kit, 'session_delete')
    await site.disconnect(topic)
    assert.equal((await deleted).topic, topic)
    assert.deepEqual(site.sessions(), [])
  })

  test('live a session until the wallet ends it', async () => {
    const { site, received, session } = await pair()
    await kit.disconnectSession({ topic: session.topic, reason: { code: 6000, message: 'bye' } })
    await until(() => received.some(([name]) => name === 'deleted'))
    assert.deepEqual(site.sessions(), [])
  })

  test('end a pairing that the wallet declines', async () => {
    const { site } = makeSite()
    const { uri, approval } = site.pair({ optionalNamespaces: wanted })
    const proposed = next(kit, 'session_proposal')
    await kit.pair({ uri })
    const { id } = await proposed
    await kit.rejectSession({ id, reason: { code: 5000, message: 'User rejected.' } })
    await assert.rejects(approval, { code: 5000 })
  })

  test('sign in by one click', async () => {
    const { site } = makeSite()
    const authentication = {
      domain: 'site.test',
      aud: 'https://site.test/login',
      nonce: '12345678abcd',
      iat: new Date().toISOString(),
      statement: 'Sign in to the site.',
    }
    const { uri, approval } = site.pair({ optionalNamespaces: wanted, authentication })
    const requested = next(kit, 'session_authenticate')
    await kit.pair({ uri })
    const { id, params } = await requested
    const signer = privateKeyToAccount(`0x${'11'.repeat(32)}`)
    const iss = `did:pkh:${chainId}:${signer.address}`
    const message = kit.formatAuthMessage({ request: params.authPayload, iss })
    const p = { ...params.authPayload, iss }
    assert.equal(formatCacaoMessage(p), message)
    const signed = { h: { t: 'caip122' }, p, s: { t: 'eip191', s: await signer.signMessage({ message }) } }
    await kit.approveSessionAuthenticate({ id, auths: [signed] })
    const session = await approval
    assert.equal(session.cacaos?.[0]?.p.nonce, authentication.nonce)
    assert.deepEqual(session.namespaces.eip155?.methods, ['eth_sendTransaction', 'personal_sign'])
    assert.equal(await request(site, session.topic, 'hello'), 'signed: hello')
  })
})

for (const version of /** @type {(keyof typeof versions)[]} */ (Object.keys(versions))) {
  test(`our wallet and a site with sign-client ${version} live a session`, async () => {
    const page = await makeSignClient(relay.url, version)
    const { wallet, received } = makeWallet()
    const { uri, approval } = await page.connect({ requiredNamespaces: wanted })
    wallet.pair(uri)
    const session = await approval()
    const { topic } = session
    assert.equal(await sign(page, session, 'hello'), 'signed: hello')
    await wallet.update(topic, moved)
    assert.deepEqual(page.session.get(topic).namespaces, moved)
    const event = next(page, 'session_event')
    await wallet.emit(topic, { name: 'chainChanged', data: 1 }, chainId)
    assert.deepEqual((await event).params.event, { name: 'chainChanged', data: 1 })
    await wallet.extend(topic)
    await wallet.ping(topic)
    await page.disconnect({ topic, reason: { code: 6000, message: 'bye' } })
    await until(() => received.includes('deleted'))
    assert.deepEqual(wallet.sessions(), [])
    await close(page)
  })
}

describe('our site and our wallet', { timeout: 120_000 }, () => {
  /** @param {ReturnType<typeof makeSite>} site */
  async function pair(site = makeSite(), wallet = makeWallet()) {
    const { uri, approval } = site.site.pair({ optionalNamespaces: wanted })
    wallet.wallet.pair(uri)
    return { site, wallet, topic: (await approval).topic }
  }

  test('talk through the gateway of the site and the relay itself', async () => {
    const { site, topic } = await pair(makeSite(options('site', relay.throughGateway)))
    assert.equal(await request(site.site, topic, 'hello'), 'signed: hello')
  })

  test('find what was sent while they were away', async () => {
    const { site, wallet, topic } = await pair()
    site.site.close()
    await wallet.wallet.emit(topic, { name: 'chainChanged', data: 1 }, chainId)
    const restored = makeSite({ ...options('site'), environment: site.environment })
    await until(() => restored.received.some(([name]) => name === 'chainChanged'))
  })

  test('lose no request when the relay is killed, and open few sockets meanwhile', async () => {
    const { site, wallet, topic } = await pair()
    const before = site.sockets.length
    for (let round = 0; round < 3; round++) {
      const killed = relay.process.stop('SIGKILL')
      const answers = Array.from({ length: 20 }, (_, at) => request(site.site, topic, `${round} ${at}`))
      await killed
      await sleep(2_000)
      await relay.process.start()
      assert.deepEqual(
        await Promise.all(answers),
        answers.map((_, at) => `signed: ${round} ${at}`),
      )
    }
    assert.ok(site.sockets.length - before <= 3 * 6, `${site.sockets.length - before} sockets`)
    assert.ok(wallet.sockets.length <= 1 + 3 * 6, `${wallet.sockets.length} sockets`)
  })

  test('sign tokens by the clock of the relay when that of the device is wrong', async () => {
    const given = options('site')
    const hour = 3_600_000
    const clock = {
      now: () => Date.now() + hour,
      after: (/** @type {number} */ ms, /** @type {() => void} */ task) => {
        const timer = setTimeout(task, ms)
        return () => clearTimeout(timer)
      },
    }
    const site = makeSite({ ...given, environment: { ...given.environment, clock } })
    const { topic } = await pair(site)
    assert.equal(site.sockets.length, 2)
    await site.site.disconnect(topic)
  })
})

test('our site and our wallet lose no request when one of two relays is killed', async () => {
  const { replicas } = await startReplicas()
  const [first, second] = replicas
  assert.ok(first && second)
  const { site } = makeSite(options('site', first.url))
  const { wallet } = makeWallet(options('wallet', second.url))
  const { uri, approval } = site.pair({ optionalNamespaces: wanted })
  wallet.pair(uri)
  const { topic } = await approval
  for (const replica of [first, second]) {
    const killed = replica.process.stop('SIGKILL')
    const answers = Array.from({ length: 20 }, (_, at) => request(site, topic, `message ${at}`))
    await killed
    await replica.process.start()
    assert.deepEqual(
      await Promise.all(answers),
      answers.map((_, at) => `signed: message ${at}`),
    )
  }
})
