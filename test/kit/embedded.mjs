import { eventually } from './eventually.mjs'
import { press } from './press.mjs'
import { site } from './site.mjs'

/** @typedef {Pick<import('./journey.mjs').Scene, 'context' | 'page' | 'modal'>} Visit a visitor on the demo page */

let lastUser = 0

/** Returns an unused email address. */
export function newEmail() {
  lastUser += 1
  return `visitor-${process.pid}-${lastUser}@example.com`
}

/**
 * Matches in mails that were used already.
 *
 * @type {Set<string>}
 */
const used = new Set()

/**
 * Returns what a pattern finds in the mails of an address, and was not found before.
 *
 * @param {string} email
 * @param {RegExp} pattern
 */
async function findInMail(email, pattern) {
  let found = ''
  await eventually(async () => {
    const response = await fetch(`${site.devServersUrl}/inbox.json?to=${encodeURIComponent(email)}`)
    /** @type {{ text: string }[]} */
    const mails = await response.json()
    const matches = mails.map(({ text }) => pattern.exec(text)?.[1] ?? '')
    found = matches.find((match) => match && !used.has(`${email} ${match}`)) ?? ''
    if (!found) throw new Error(`no mail to ${email} has ${pattern}`)
  })
  used.add(`${email} ${found}`)
  return found
}

/**
 * Returns the newest code that was mailed to an address.
 *
 * @param {string} email
 */
export function mailedCode(email) {
  return findInMail(email, /\b(\d{6})\b/)
}

/**
 * Sends an email in the view Connect, and approves the device if its mail has a link for that. Ends on the entry of the code.
 *
 * @param {Visit} scene
 * @param {string} email
 */
export async function requestCode({ context, page, modal }, email) {
  await modal.connectButton.click()
  await modal.find('wui-email-input').fill(email)
  await page.keyboard.press('Enter')
  const device = page.locator('[data-view=EmailVerifyDevice]')
  const code = page.locator('[data-view=EmailVerifyOtp]')
  await device.or(code).first().waitFor()
  if (await device.isVisible()) await approveDevice(context, modal, email)
  await modal.shows('EmailVerifyOtp')
}

/**
 * Approves the waiting device by the page that the mail links.
 *
 * @param {import('playwright-core').BrowserContext} context
 * @param {import('./modal.mjs').Modal} modal
 * @param {string} email
 */
async function approveDevice(context, modal, email) {
  const words = (await modal.find('device-words').textContent()) ?? ''
  const approval = await context.newPage()
  await approval.goto(await findInMail(email, /(https?:\/\/\S+\/approve-device\S*)/))
  await approval.getByText(words).waitFor()
  await press(approval.getByRole('button', { name: 'Approve' }))
  await approval.getByText('The login is approved.').waitFor()
  await approval.close()
}

/**
 * Logs in by email.
 *
 * @param {Visit} scene
 * @param {string} email
 */
export async function logIn(scene, email) {
  await requestCode(scene, email)
  await scene.modal.find('wui-otp-input').fill(await mailedCode(email))
  await scene.modal.accountButton.waitFor()
  await scene.modal.isClosed()
}

/**
 * Returns the wallet's frame in a page.
 *
 * @param {import('playwright-core').Page} page
 */
export function walletFrame(page) {
  return page.frameLocator('#hawser-frame')
}

/**
 * Waits until a request can be answered in the wallet's frame, which must not have moved for a moment.
 *
 * @param {import('playwright-core').Page} page
 */
export async function requestShown(page) {
  await walletFrame(page).getByRole('button', { name: 'Approve', disabled: false }).waitFor()
  await page.locator('#hawser-frame').waitFor()
}
