import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe } from 'node:test'
import { generatePrivateKey } from 'viem/accounts'
import { assertAccessible } from '../kit/accessibility.mjs'
import { devnet, freshAddress, lookAlikeOf } from '../kit/chain.mjs'
import { journey, mainJourney } from '../kit/journey.mjs'
import { walletOf } from '../kit/wallets.mjs'

const ETHER = 10n ** 18n

// An account of its own: its history has only what happens here.
const wallets = () => [walletOf({ privateKeys: [generatePrivateKey()] })]

/**
 * Opens the contacts from the settings of the account.
 *
 * @param {import('../kit/modal.mjs').Modal} modal
 */
async function openContacts(modal) {
  await modal.openAccount()
  await modal.press('account-settings-button')
  await modal.press('account-contacts-button')
  await modal.shows('Contacts')
}

/**
 * Opens the form that sends, with an amount.
 *
 * @param {import('../kit/modal.mjs').Modal} modal
 */
async function openSend(modal) {
  await modal.press('wallet-features-send-button')
  await modal.shows('WalletSend')
  await modal.find('send-amount-input').fill('0.5')
}

describe('a contact', () => {
  mainJourney(
    'is saved after a transfer, found again, and moved to another browser',
    { wallets },
    async (scene) => {
      const { page, modal, wallet } = scene
      const friend = freshAddress()
      const attacker = lookAlikeOf(friend)
      await devnet.setBalance(wallet.address, 3n * ETHER)
      await modal.connect(wallet)
      await modal.prepareSend({ symbol: 'ETH', amount: '1', to: friend })
      await modal.press('send-confirm-button')
      await modal.press('transaction-save-contact')
      await modal.shows('Contact')
      assert.equal(await modal.find('contact-address').textContent(), friend)
      await modal.find('contact-name').fill('Friend')
      await modal.press('contact-save')
      await modal.shows('TransactionStatus')
      await modal.find('transaction-status').getByText('Friend', { exact: true }).waitFor()
      assert.equal(await modal.find('transaction-save-contact').count(), 0)
      await modal.isSent()
      await modal.press('tab-activity')
      await modal.find('activity').getByText('To \u2068Friend\u2069').waitFor()

      // Suggested, and taken with the keyboard.
      await openSend(modal)
      const field = modal.find('send-address-input')
      await field.click()
      await modal.find('suggestion').getByText('Friend').waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await modal.find('send-address-outcome').getByText('Contact: \u2068Friend\u2069').waitFor()
      assert.equal(await field.inputValue(), friend)
      await modal.readyToReview()

      // What looks like it is stopped, and what is on another network is followed there.
      await field.fill(attacker)
      await modal.sendButtonSays('Check the address')
      await modal.find('send-doubt').getByText('Your contact \u2068Friend\u2069').waitFor()
      await field.fill(`eip155:31338:${friend}`)
      await modal.sendButtonSays('For another network')
      await modal
        .find('send-address-outcome')
        .getByText(/^This receiver is on /)
        .waitFor()
      assert.ok(await modal.find('send-review-button').isDisabled())
      await modal.press('send-follow-receiver')
      await modal.find('send-address-outcome').getByText(/^On /).waitFor()
      assert.equal(await field.inputValue(), `eip155:31338:${friend}`)
      assert.ok(wallet.requests.some(({ method }) => method === 'wallet_switchEthereumChain'))

      await modal.press('w3m-header-close')
      await modal.isClosed()
      await openContacts(modal)
      const downloading = page.waitForEvent('download')
      await modal.press('contacts-export')
      const file = await (await downloading).path()
      assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), {
        format: 'hawser-contacts',
        version: 1,
        contacts: [{ namespace: 'eip155', address: friend, name: 'Friend' }],
      })

      await page.evaluate(() => localStorage.clear())
      await page.reload()
      await modal.connect(wallet)
      await openContacts(modal)
      await modal.find('contacts-empty').waitFor()
      await modal.find('contacts-file').setInputFiles(file)
      await modal.find('contacts-imported').getByText('1 contact added.').waitFor()
      await modal.find(`contact-${friend}`).getByText('Friend').waitFor()
      await modal.press('w3m-header-close')
      await modal.isClosed()
      await modal.openAccount()
      await openSend(modal)
      await modal.find('send-address-input').fill(attacker)
      await modal.find('send-doubt').waitFor()
    },
  )

  for (const width of [320, 1024]) {
    journey(
      `can be read and used by everybody on ${width} pixels`,
      { wallets, browser: { viewport: { width, height: 640 } } },
      async ({ page, modal, wallet }) => {
        const assertUsable = async () => {
          await assertAccessible(page)
          const beside = await page.evaluate(() => {
            const dialog = document
              .querySelector('[data-hw-modal]')
              ?.shadowRoot?.querySelector('dialog[open]')
            return dialog ? dialog.scrollWidth - dialog.clientWidth : undefined
          })
          assert.equal(beside, 0, 'nothing is beside the modal')
        }
        const friend = freshAddress()
        await devnet.setBalance(wallet.address, ETHER)
        await modal.connect(wallet)
        await openContacts(modal)
        await assertUsable()
        await modal.press('contacts-add')
        await modal.shows('Contact')
        await modal
          .find('contact-name')
          .fill('A friend with a name that is as long as it is allowed to be here')
        await modal.find('contact-address').fill('nobody')
        await modal.press('contact-save')
        await modal.card.getByText('Enter a valid address').waitFor()
        await assertUsable()
        await modal.find('contact-address').fill(friend)
        await modal.press('contact-save')
        await modal.shows('Contacts')
        await assertUsable()
        await modal.press(`contact-${friend}`)
        await modal.shows('Contact')
        await modal.press('contact-remove')
        await assertUsable()
        await modal.press('contact-keep')
        for (const view of ['Contacts', 'Profile', 'Account']) {
          await modal.press('header-back')
          await modal.shows(view)
        }
        await openSend(modal)
        await modal.find('send-contacts').waitFor()
        await modal.find('send-address-input').click()
        await modal.find('suggestion').waitFor()
        await page.keyboard.press('ArrowDown')
        await assertUsable()
        await page.keyboard.press('Escape')
        await modal.find('suggestion').waitFor({ state: 'detached' })
        await modal.find('send-address-input').fill(lookAlikeOf(friend))
        await modal.find('send-doubt').waitFor()
        await assertUsable()
      },
    )
  }
})
