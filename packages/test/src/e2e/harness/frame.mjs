import { createServer } from 'node:http'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { launchChromium } from '../../chromium.mjs'
import { eventually } from './eventually.mjs'
import { startOwnStack } from './ownStack.mjs'

/** Playwright switches off the partition of third-party storage among these features; the last list of an argument counts. */
const partitioned = '--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider'

export const projectId = '00000000000000000000000000000001'

/** The suite whose frame is tested. */
export const stack = await startOwnStack()
after(() => stack.stop())

const browser = await launchChromium([], [partitioned, '--site-per-process'])
after(() => browser.close())

/** Two sites that may show the frame of a development project, and one that may not. */
const port = await servePages()
export const shop = `http://localhost:${port}`
export const market = `http://127.0.0.1:${port}`
export const evil = `http://evil.localhost:${port}`

/** Serves a page with the site's half of the wallet as `createEmbeddedWallet`, on every host of this machine. */
async function servePages() {
  const entry = fileURLToPath(new URL('../../../../frame/src/exports/index.ts', import.meta.url))
  const [output] = /** @type {import('vite').Rolldown.RolldownOutput[]} */ (
    await build({ configFile: false, logLevel: 'error', build: { write: false, lib: { entry, formats: ['es'] } } })
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

/** A browser profile of its own, whose requests are kept. */
export async function newProfile() {
  const context = await browser.newContext({ viewport: { width: 800, height: 800 } })
  context.setDefaultTimeout(15_000)
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
    { frameOrigin: stack.frameOrigin, projectId },
  )
}

/** @param {import('playwright-core').Page} page */
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

let lastUser = 0

/** Returns an email address that nobody has used. */
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
  const response = await fetch(`${stack.gatewayUrl}/dev/inbox.json?to=${encodeURIComponent(email)}`)
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
export async function approveDevice(context, email) {
  const link = await findInMail(email, /(https?:\/\/\S+\/approve-device\S*)/)
  const page = await context.newPage()
  await page.goto(link)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('The login is approved.').waitFor()
  await page.close()
}

/**
 * Signs in by email in a page of `openSite`.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} email
 */
export async function signIn(page, email) {
  const { action } = await page.evaluate((email) => window.wallet.connectEmail(email), email)
  if (action === 'CONNECT') return
  if (action === 'VERIFY_DEVICE') {
    const waiting = page.evaluate(() => window.wallet.connectDevice())
    await approveDevice(page.context(), email)
    await waiting
  }
  const code = await findInMail(email, /\b(\d{6})\b/)
  await page.evaluate((code) => window.wallet.connectOtp(code), code)
}
