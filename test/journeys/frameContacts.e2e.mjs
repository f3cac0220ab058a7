import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertWalletAccessible } from '../kit/accessibility.mjs'
import { frameOf, newEmail, newProfile, openAccount, openSite, shop, signIn } from '../kit/frame.mjs'
import { press } from '../kit/press.mjs'
import { site } from '../kit/site.mjs'
import { openScreen, showScreen, submitPassword } from '../kit/walletAccount.mjs'

const patience = { timeout: 120_000 }
const PASSWORD = 'correct horse battery staple'
const alice = { namespace: 'eip155', address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', name: 'Alice' }
const bob = { namespace: 'eip155', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', name: 'Bob' }
const carol = { namespace: 'eip155', address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC', name: 'Carol' }

/**
 * Returns the contacts that the user shares with the site, or the code of the refusal.
 *
 * @param {import('playwright-core').Page} page
 * @param {boolean} ask whether the site asks the user
 */
const contactsOf = (page, ask) =>
  page.evaluate((ask) => window.wallet.getContacts({ ask }).catch(({ code }) => code), ask)

/**
 * @param {import('playwright-core').Page} page
 * @param {{ namespace: string, address: string, name?: string }[]} changes
 */
const change = (page, ...changes) =>
  page.evaluate((changes) => window.wallet.changeContacts(changes), changes)

/** @param {import('playwright-core').Page} page */
const shareButton = (page) => frameOf(page).getByRole('button', { name: 'Share', exact: true })

describe('the contacts of a wallet', () => {
  test('are shared with a site on each device, and merged', patience, async () => {
    const { context, requests } = await newProfile()
    const page = await openSite(context, shop)
    const email = newEmail()
    await signIn(page, email)
    assert.equal(await contactsOf(page, false), undefined)

    const declined = contactsOf(page, true)
    const frame = frameOf(page)
    await frame.getByRole('heading', { name: 'Share your contacts with this site?' }).waitFor()
    await frame.getByText(shop).waitFor()
    const inner = page.frames().find((each) => each.url().startsWith(site.frameOrigin))
    await assertWalletAccessible(page, inner)
    await frame.getByRole('button', { name: 'Reject' }).click()
    assert.equal(await declined, 4001)
    assert.equal(await contactsOf(page, false), undefined)

    const asked = contactsOf(page, true)
    await press(shareButton(page))
    assert.deepEqual(await asked, [])
    assert.deepEqual(await change(page, bob), [bob])
    assert.deepEqual(await contactsOf(page, false), [bob])

    const account = await openAccount(page)
    await openScreen(account, 'Back up your wallet')
    await account.getByRole('button', { name: /^Add a password/ }).click()
    await submitPassword(account, PASSWORD, 'Add a password')
    await account.getByRole('button', { name: /^Add a password.*Done$/ }).waitFor()

    // Another device asks on its own, and opens the wallet first.
    const other = await openSite((await newProfile()).context, shop)
    await signIn(other, email)
    const opened = contactsOf(other, true)
    await press(shareButton(other))
    await frameOf(other).getByLabel('Password').fill(PASSWORD)
    await frameOf(other).getByRole('button', { name: 'Open with your password' }).click()
    assert.deepEqual(await opened, [bob])

    await Promise.all([change(page, alice), change(other, carol)])
    const all = [carol, bob, alice]
    assert.deepEqual(await contactsOf(page, false), all)
    assert.deepEqual(await contactsOf(other, false), all)
    await change(other, { namespace: 'eip155', address: bob.address })
    assert.deepEqual(await contactsOf(page, false), [carol, alice])

    const written = requests.filter((each) => each.url().includes('/SetContacts'))
    assert.ok(written.length >= 2)
    for (const each of written) {
      const { blob, ...clear } = each.postDataJSON()
      // Any three letters may be in base64 text by chance.
      const bytes = Buffer.from(blob, 'base64').toString('latin1')
      assert.doesNotMatch(
        JSON.stringify(clear) + bytes,
        /70997970C51812dc3A010C7d01b50e0d17dc79C8|"name"|Alice/i,
      )
    }

    // The user ends it on the page of the account, and it ends with the session.
    await showScreen(account, 'Site permissions')
    await account.getByRole('button', { name: `Revoke permissions of ${shop}` }).click()
    await account.getByText('No site permissions found.').waitFor()
    assert.equal(await contactsOf(page, false), undefined)
    const again = contactsOf(page, true)
    await press(shareButton(page))
    assert.deepEqual(await again, [carol, alice])
    await page.evaluate(() => window.wallet.signOut())
    await signIn(page, email)
    assert.equal(await contactsOf(page, false), undefined)
  })
})
