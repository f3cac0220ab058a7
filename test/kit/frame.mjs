import { createServer } from 'node:http'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { launchChromium } from './chromium.mjs'
import { eventually } from './eventually.mjs'
import { press } from './press.mjs'
import { site } from './site.mjs'

/** Playwright switches off the partition of third-party storage among these features; the last list of an argument counts. */
const partitioned = '--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider'

export const { projectId } = site

const partitionedBrowser = launchOnce({ args: [partitioned, '--site-per-process'] })
/** Without the partition, Chromium denies storage to the frame of another site. */
const denyingBrowser = launchOnce({ whole: true })

/** @param {{ args?: string[], whole?: boolean }} options */
function launchOnce(options) {
  /** @type {Promise<import('playwright-core').Browser> | undefined} */
  let launched
  // A browser that was not launched fails its tests; failing here too would keep what comes after from being closed.
  after(async () => (await launched?.catch(() => undefined))?.close())
  return () => {
    launched ??= launchChromium([], options)
    return launched
  }
}

/** The wallet's own pages, which no site may embed. */
export const walletPages = [
  '/account',
  '/recover',
  '/approve-device',
  '/loading',
  '/social/start',
  '/social/callback',
]

/** Two sites that may show the frame of a development project, and one that may not. */
const port = await servePages()
export const shop = `http://localhost:${port}`
export const market = `http://127.0.0.1:${port}`
export const evil = `http://evil.localhost:${port}`

/** Serves a page with the site's half of the wallet as `createEmbeddedWallet`, on every host of this machine. */
async function servePages() {
  const entry = fileURLToPath(new URL('../../packages/frame/src/exports/index.ts', import.meta.url))
  const [output] = /** @type {import('vite').Rolldown.RolldownOutput[]} */ (
    await build({
      configFile: false,
      logLevel: 'error',
      build: { write: false, lib: { entry, formats: ['es'] } },
    })
  )
  const script = output?.output.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n')
  const html = `<!doctype html><title>Shop</title><body><script type="module">
    import { createEmbeddedWallet } from '/wallet.js'
    window.createEmbeddedWallet = createEmbeddedWallet
  </script>`
  const server = createServer((request, response) => {
    const isScript = request.url === '/wallet.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : html)
  })
  await new Promise((resolve) => server.listen(0, () => resolve(undefined)))
  after(() => server.close())
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the pages have no address')
  return address.port
}

/**
 * Creates a browser profile of its own, whose requests are kept.
 *
 * @param {{ storage?: boolean, har?: string, locale?: string }} [options] whether the browser allows storage
 * to a frame of another site; the file that the profile writes its requests and responses to when it is
 * closed; the language of the visitor
 */
export async function newProfile({ storage = true, har, locale } = {}) {
  const browser = await (storage ? partitionedBrowser() : denyingBrowser())
  const context = await browser.newContext({
    viewport: { width: 800, height: 800 },
    // A click on a frame that is being scaled can lose its "mouseup" on the way to the frame's process.
    reducedMotion: 'reduce',
    ...(har ? { recordHar: { path: har, content: 'embed' } } : {}),
    ...(locale ? { locale } : {}),
  })
  context.setDefaultTimeout(30_000)
  after(() => context.close())
  /** @type {import('playwright-core').Request[]} */
  const requests = []
  context.on('request', (request) => requests.push(request))
  return { context, requests }
}

/**
 * Opens a site whose page has the wallet as `wallet`, with a virtual authenticator.
 *
 * @param {import('playwright-core').BrowserContext} context
 * @param {string} url
 */
export async function openSite(context, url) {
  const page = await context.newPage()
  await addAuthenticator(page)
  await visitSite(page, url)
  return page
}

/**
 * Loads a site in a tab and shows its frame while a request waits.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} url
 */
export async function visitSite(page, url) {
  await page.goto(url)
  await page.waitForFunction('window.createEmbeddedWallet')
  await page.evaluate(
    ({ frameOrigin, projectId }) => {
      const wallet = window.createEmbeddedWallet({ frameOrigin, projectId, chainId: 'eip155:31337' })
      wallet.on('approval', () => wallet.show({ left: 100, top: 50, width: 360, height: 600, radius: 24 }))
      wallet.on('approvalEnd', () => wallet.hide())
      window.wallet = wallet
    },
    { frameOrigin: site.frameOrigin, projectId },
  )
}

/**
 * Gives a tab an authenticator with the PRF extension, whose user consents.
 *
 * @param {import('playwright-core').Page} page
 */
async function addAuthenticator(page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      hasPrf: true,
      automaticPresenceSimulation: true,
    },
  })
}

/**
 * Returns the wallet's frame in a page.
 *
 * @param {import('playwright-core').Page} page
 */
export function frameOf(page) {
  return page.frameLocator('#hawser-frame')
}

/** Codes and links that were used, by email. @type {Map<string, string[]>} */
const codes = new Map()
/** @type {Map<string, string[]>} */
const links = new Map()
let lastUser = 0

/** Returns an unused email address. */
export function newEmail() {
  lastUser += 1
  return `user-${process.pid}-${lastUser}@example.com`
}

/**
 * Returns the mails of an address, the newest first.
 *
 * @param {string} email
 * @returns {Promise<{ subject: string, text: string }[]>}
 */
async function mailsOf(email) {
  const response = await fetch(`${site.devServersUrl}/inbox.json?to=${encodeURIComponent(email)}`)
  return response.json()
}

/**
 * Returns what a pattern finds in the newest mail of an address that has it.
 *
 * @param {string} email
 * @param {RegExp} pattern
 * @param {string[]} [seen] what earlier mails had
 */
export async function findInMail(email, pattern, seen = []) {
  let found = ''
  await eventually(async () => {
    const matches = (await mailsOf(email)).map(({ text }) => pattern.exec(text)?.[1] ?? '')
    found = matches.find((match) => match && !seen.includes(match)) ?? ''
    if (!found) throw new Error(`no mail to ${email} has ${pattern}`)
  })
  return found
}

/**
 * Approves the device that waits, by the page of the mail's link.
 *
 * @param {import('playwright-core').BrowserContext} context
 * @param {string} email
 */
async function approveDevice(context, email) {
  const link = await findInMail(email, /(https?:\/\/\S+\/approve-device\S*)/, links.get(email))
  links.set(email, [...(links.get(email) ?? []), link])
  const page = await context.newPage()
  await page.goto(link)
  await press(page.getByRole('button', { name: 'Approve' }))
  await page.getByText('The login is approved.').waitFor()
  await page.close()
}

/**
 * Signs in by email in a page of `openSite`.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} email
 * @param {string} [wrongCode] entered instead of the code of the mail
 */
export async function signIn(page, email, wrongCode) {
  const { action } = await page.evaluate((email) => window.wallet.connectEmail(email), email)
  if (action === 'CONNECT') return
  if (action === 'VERIFY_DEVICE') {
    const waiting = page.evaluate(() => window.wallet.connectDevice())
    await approveDevice(page.context(), email)
    await waiting
  }
  const code = wrongCode ?? (await findInMail(email, /\b(\d{6})\b/, codes.get(email)))
  if (!wrongCode) codes.set(email, [...(codes.get(email) ?? []), code])
  await page.evaluate((code) => window.wallet.connectOtp(code), code)
}

/**
 * Signs a message, approved in the frame.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} message
 * @returns {Promise<`0x${string}`>}
 */
export async function sign(page, message) {
  const signing = startSigning(page, message)
  await press(frameOf(page).getByRole('button', { name: 'Approve' }))
  return signing
}

/** The node of the first local chain. */
export const nodeUrl = site.devnet.chains[0]?.rpcUrl ?? ''
/** The node of the second local chain, whose accounts cannot delegate (EIP-7702). */
export const secondNodeUrl = site.devnet.chains[1]?.rpcUrl ?? ''

/**
 * Gives an address its balance on a local chain, the first unless another node is named.
 *
 * @param {string} address
 * @param {bigint} wei
 */
export async function fund(address, wei, url = nodeUrl) {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'anvil_setBalance',
    params: [address, `0x${wei.toString(16)}`],
  }
  await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/**
 * Requests the signature of a message, and returns without an approval.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} message
 * @returns {Promise<`0x${string}`>}
 */
export function startSigning(page, message) {
  return page.evaluate(async (message) => {
    const { address } = await window.wallet.getUser()
    const signature = await window.wallet.request({ method: 'personal_sign', params: [message, address] })
    return /** @type {`0x${string}`} */ (signature)
  }, message)
}

/**
 * Returns the address of the wallet that a page is signed in to.
 *
 * @param {import('playwright-core').Page} page
 */
export async function addressOf(page) {
  const { address } = await page.evaluate(() => window.wallet.getUser())
  return /** @type {`0x${string}`} */ (address)
}

/**
 * Opens the account page as a site does, which has the wallet of the site's frame.
 *
 * @param {import('playwright-core').Page} page
 */
export async function openAccount(page) {
  const opening = page.waitForEvent('popup')
  await page.evaluate(
    ({ origin, projectId }) => void window.open(`${origin}/account?projectId=${projectId}`),
    { origin: site.frameOrigin, projectId },
  )
  const account = await opening
  await addAuthenticator(account)
  return account
}
