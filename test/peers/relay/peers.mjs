import { WalletKit } from '@reown/walletkit'
import { Core } from '@walletconnect/core'
import { SignClient } from '@walletconnect/sign-client'
import { Core as OlderCore } from 'older-core'
import { SignClient as OlderSignClient } from 'older-sign-client'

// Each client has a core of its own: several of them are in this process.
process.env.DISABLE_GLOBAL_CORE = 'true'

// The SDKs call hosts of their vendor on their own. None of those calls leaves this process.
const { fetch } = globalThis
globalThis.fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input)
  if (url.hostname !== '127.0.0.1') throw new TypeError(`${url.hostname} is not called in tests`)
  return fetch(input, init)
}

export const projectId = '00000000000000000000000000000001'
export const account = 'eip155:1:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb'

/** What a page asks for. */
export const wanted = {
  eip155: {
    chains: ['eip155:1'],
    methods: ['personal_sign', 'eth_sendTransaction'],
    events: ['accountsChanged', 'chainChanged'],
  },
}

/** What a wallet approves. */
export const approved = {
  eip155: {
    chains: ['eip155:1'],
    accounts: [account],
    methods: ['personal_sign', 'eth_sendTransaction'],
    events: ['accountsChanged', 'chainChanged'],
  },
}

let made = 0

/**
 * @param {string} relayUrl
 * @param {string} name
 */
function options(relayUrl, name) {
  made += 1
  return {
    projectId,
    relayUrl,
    logger: 'silent',
    telemetryEnabled: false,
    customStoragePrefix: `${name}-${made}`,
    storageOptions: { database: ':memory:' },
    metadata: { name, description: name, url: `https://${name}.test`, icons: [] },
  }
}

/** The versions of the SDK, for both sides. */
export const versions = /** @type {const} */ ({
  '2.21.8': { Core, SignClient },
  '2.20.1': { Core: OlderCore, SignClient: OlderSignClient },
})

/**
 * Makes a page, or a wallet of plain sign-client.
 *
 * @param {string} relayUrl
 * @param {keyof typeof versions} version
 * @param {string} name
 */
export async function makeSignClient(relayUrl, version = '2.21.8', name = 'page') {
  const all = options(relayUrl, name)
  const { Core, SignClient } = versions[version]
  return SignClient.init({ ...all, core: new Core(all) })
}

/**
 * Makes a wallet of WalletKit 1.2.4.
 *
 * @param {string} relayUrl
 */
export async function makeWalletKit(relayUrl) {
  const all = options(relayUrl, 'wallet')
  return WalletKit.init({ core: new OlderCore(all), metadata: all.metadata, signConfig: {} })
}

/**
 * Resolves with the next event of a client.
 *
 * @param {{ once: (event: string, listener: (value: any) => void) => void }} client
 * @param {string} event
 * @param {number} [patience] milliseconds
 * @returns {Promise<any>}
 */
export function next(client, event, patience = 60_000) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no ${event} within ${patience} ms`)), patience)
    client.once(event, (value) => {
      clearTimeout(timer)
      resolve(value)
    })
  })
}

/**
 * Proposes a session.
 *
 * @param {any} page
 * @returns {Promise<{ uri: string, settled: Promise<any> }>}
 */
export async function propose(page) {
  const { uri, approval } = await page.connect({ requiredNamespaces: wanted })
  // Not later: the SDK loses an approval that comes before it is waited for.
  const settled = approval()
  settled.catch(() => {})
  return { uri, settled }
}

/**
 * Pairs a page with a wallet, which approves.
 *
 * @param {any} page
 * @param {any} wallet WalletKit or a sign-client
 * @returns {Promise<any>} the session as the page sees it
 */
export async function establish(page, wallet) {
  const { uri, settled } = await propose(page)
  const proposed = next(wallet, 'session_proposal')
  if (wallet.approveSession) await wallet.pair({ uri })
  else await wallet.core.pairing.pair({ uri })
  const { id } = await proposed
  if (wallet.approveSession) await wallet.approveSession({ id, namespaces: approved })
  else await (await wallet.approve({ id, namespaces: approved })).acknowledged()
  return settled
}

/**
 * Makes a wallet answer every request with the text `signed: <message>`.
 *
 * @param {any} wallet
 */
export function answerRequests(wallet) {
  wallet.on('session_request', async (/** @type {any} */ { topic, id, params }) => {
    const response = { id, jsonrpc: '2.0', result: `signed: ${params.request.params[0]}` }
    const answer = wallet.respondSessionRequest ?? wallet.respond
    await answer.call(wallet, { topic, response }).catch(() => {})
  })
}

/**
 * @param {any} page
 * @param {{ topic: string }} session
 * @param {string} message
 * @returns {Promise<string>}
 */
export function sign(page, session, message) {
  return page.request({
    topic: session.topic,
    chainId: 'eip155:1',
    request: { method: 'personal_sign', params: [message, account.slice('eip155:1:'.length)] },
  })
}

/**
 * Ends the connection and the timers of a client.
 *
 * @param {any} client
 */
export async function close(client) {
  const { core } = client
  core.heartbeat.stop?.()
  await core.relayer.transportClose().catch(() => {})
}
