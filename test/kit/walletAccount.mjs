import { press } from './press.mjs'

/** @typedef {import('playwright-core').Page} Page */

/**
 * Shows a screen of the wallet's account page, from the first one.
 *
 * @param {Page} account
 * @param {string} row begins the name of the row that leads there
 */
export async function showScreen(account, row) {
  await account.getByRole('heading', { level: 1 }).waitFor()
  await account.evaluate(() => {
    const depth = history.state?.depth ?? 1
    if (depth > 1) history.go(1 - depth)
  })
  await account.getByRole('heading', { name: 'Your wallet', exact: true }).waitFor()
  await account.getByRole('button', { name: new RegExp(`^${row}`) }).click()
}

/**
 * Shows a screen that needs the opened wallet, and opens the wallet by this browser.
 *
 * @param {Page} account
 * @param {string} row
 */
export async function openScreen(account, row) {
  await showScreen(account, row)
  await press(account.getByRole('button', { name: 'Open your wallet' }))
}

/**
 * Returns the words of the wallet, which this browser alone opens.
 *
 * @param {Page} account whose wallet is open
 */
export async function readWords(account) {
  await showScreen(account, 'Back up your wallet')
  await account.getByRole('button', { name: /^Show the 24 words/ }).click()
  await account.getByRole('heading', { name: 'Words of the wallet' }).waitFor()
  await press(account.getByRole('button', { name: 'Show the 24 words' }))
  return shownWords(account)
}

/**
 * Uncovers the words that a page has, and returns them.
 *
 * @param {Page} page
 */
export async function shownWords(page) {
  await page.getByRole('button', { name: 'Show the words' }).click()
  await page.getByRole('button', { name: 'Hide the words' }).waitFor()
  return page.getByRole('list', { name: 'Words of the wallet' }).getByRole('listitem').allTextContents()
}

/**
 * Adds a passkey to the opened wallet.
 *
 * @param {Page} account
 */
export async function addPasskey(account) {
  await showScreen(account, 'Back up your wallet')
  await press(account.getByRole('button', { name: /^Add a passkey/ }))
  await account.getByRole('button', { name: /^Add a passkey.*Done$/ }).waitFor()
}

/**
 * Types a new password, and submits it.
 *
 * @param {Page} page
 * @param {string} password
 * @param {string} button
 */
export async function submitPassword(page, password, button) {
  const form = page.locator('form', { has: page.getByRole('button', { name: button }) })
  await form.getByLabel('Password', { exact: true }).fill(password)
  await form.getByLabel('Repeat the password').fill(password)
  await form.getByRole('button').click()
}
