import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { verifyMessage } from 'viem'
import { eventually } from '../../kit/eventually.mjs'
import { press } from '../../kit/press.mjs'
import { site } from '../../kit/site.mjs'
import { buildSite } from './site.mjs'
import { visit } from './visit.mjs'

for (const version of ['1.7.3', '1.8.0']) {
  describe(`AppKit ${version}`, () => {
    test('logs in by email and signs, through the frame', { timeout: 90_000 }, async () => {
      const answer = await buildSite(version)
      const email = `old-client-${version}@example.org`
      await visit(
        { name: `${version}-email`, answer, features: { email: true } },
        async ({ page, card, open }) => {
          await open()
          await card.locator('wui-email-input input').fill(email)
          await page.keyboard.press('Enter')

          // A new email needs one code.
          await card.locator('wui-otp input').first().waitFor()
          await card.locator('wui-otp input').first().click()
          await page.keyboard.type(await mailed(email, /\b\d{6}\b/), { delay: 30 })
          await page.waitForFunction(() => /** @type {any} */ (window).modal.getAddress())
          const address = await page.evaluate(() => /** @type {any} */ (window).modal.getAddress())

          const signing = page.evaluate(() => {
            const { modal } = /** @type {any} */ (window)
            return modal
              .getWalletProvider()
              .request({ method: 'personal_sign', params: ['0x68656c6c6f', modal.getAddress()] })
          })
          const frame = page.frameLocator('#w3m-iframe')
          await frame.getByText('hello').waitFor()
          await press(frame.getByRole('button', { name: /sign|approve/i }))
          assert.ok(await verifyMessage({ address, message: 'hello', signature: await signing }))
        },
      )
    })
  })
}

/**
 * Waits for a mail with a text that matches.
 *
 * @param {string} to
 * @param {RegExp} pattern
 */
async function mailed(to, pattern) {
  let found = ''
  await eventually(async () => {
    const mails = await (await fetch(`${site.devServersUrl}/inbox.json`)).json()
    const texts = mails
      .filter((/** @type {any} */ mail) => mail.to.includes(to))
      .map((/** @type {any} */ mail) => mail.text)
    found = texts.map((/** @type {string} */ text) => pattern.exec(text)?.[0]).find(Boolean) ?? ''
    assert.ok(found, `no mail to ${to} matches`)
  })
  return found
}
