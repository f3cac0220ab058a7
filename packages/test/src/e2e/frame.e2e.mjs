import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { verifyMessage } from 'viem'
import { findInMail, frameOf, market, newEmail, newProfile, openSite, shop, signIn, visitSite } from './harness/frame.mjs'

const patience = { timeout: 60_000 }

describe('a visitor who signs in by email', () => {
  test('has a wallet that signs after a click in the frame, and after a reload', patience, async () => {
    const { context } = await newProfile()
    const page = await openSite(context, shop)
    const email = newEmail()
    await signIn(page, email)
    const user = await page.evaluate(() => window.wallet.getUser())
    assert.equal(user.email, email)
    assert.equal(user.chainId, 'eip155:31337')

    const signature = await sign(page, 'hello')
    assert.ok(await verifyMessage({ address: user.address, message: 'hello', signature }))

    await visitSite(page, shop)
    assert.equal(await page.evaluate(() => window.wallet.isConnected()), true)
    assert.ok(await verifyMessage({ address: user.address, message: 'again', signature: await sign(page, 'again') }))
  })
})

/**
 * Signs a message, approved in the frame.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} message
 */
async function sign(page, message) {
  const signing = page.evaluate(async (message) => {
    const { address } = await window.wallet.getUser()
    return window.wallet.request({ method: 'personal_sign', params: [message, address] })
  }, message)
  const approve = frameOf(page).getByRole('button', { name: 'Approve' })
  await approve.click()
  return /** @type {`0x${string}`} */ (await signing)
}
