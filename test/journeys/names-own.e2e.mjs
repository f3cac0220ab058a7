import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { assertAccessible } from '../kit/accessibility.mjs'
import { devnet, freshAddress } from '../kit/chain.mjs'
import { eventually } from '../kit/eventually.mjs'
import { journey } from '../kit/journey.mjs'
import { Modal } from '../kit/modal.mjs'
import {
  changeName,
  deployOwnedAccount,
  here,
  lookUp,
  newOwner,
  outside,
  register,
  registerInEns,
  showInEns,
  zone,
} from '../kit/names.mjs'
import { site } from '../kit/site.mjs'
import { installWallet } from '../kit/wallet/install.mjs'
import { walletOf } from '../kit/wallets.mjs'

/** Returns an account with a name, in a wallet that a page may use. */
function ownerOfName() {
  const owner = newOwner()
  return { ...owner, wallet: walletOf({ privateKeys: [owner.privateKey] }) }
}

/** An account that is a contract, and the key of its owner. */
const key = generatePrivateKey()
const contract = await deployOwnedAccount(privateKeyToAddress(key))

/** A picture of one pixel, PNG. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** The name is not registered. */
const NOT_FOUND = /status of 404/

describe('a name of one’s own', () => {
  const writer = ownerOfName()
  journey(
    'says what its owner writes, to everyone',
    { wallets: () => [writer.wallet] },
    async ({ page, modal }) => {
      const { name, wallet } = writer
      await register(writer, { bio: 'Before', location: 'Kraków' })
      await modal.connect(wallet)
      await modal.openName(name)
      await modal.press('name-edit-records')
      await modal.find('name-record-input-bio').fill('Sails on Sundays')
      await modal.find('name-record-input-url').fill('https://example.org/crew')
      await modal.find('name-record-input-com.github').fill('octocat')
      await modal.find('name-record-input-location').fill('')
      const prompt = wallet.approvals.holdNext()
      await modal.press('name-change-button')
      await prompt.opened
      await modal.find('name-change-button').getByText('Sign in your wallet').waitFor()
      prompt.approve()
      await modal.says(`Profile of ${name} saved`)
      await modal.shows('NameDetail')
      await page.locator('[data-view="NameDetail"]').getByText('Sails on Sundays', { exact: true }).waitFor()

      const github = modal.find('name-record-com.github').getByRole('link')
      assert.equal(await github.getAttribute('href'), 'https://github.com/octocat')
      assert.match((await github.getAttribute('rel')) ?? '', /noopener noreferrer/)
      const written = { bio: 'Sails on Sundays', url: 'https://example.org/crew', 'com.github': 'octocat' }
      assert.deepEqual((await lookUp(name))?.attributes, written)
      for (const [key, text] of Object.entries(written)) {
        assert.equal(await outside.getEnsText({ name, key }), text)
      }
      assert.equal(await outside.getEnsText({ name, key: 'location' }), null)
      assert.equal(wallet.requests.filter(({ method }) => method === 'personal_sign').length, 1)
    },
  )

  const mover = ownerOfName()
  journey('gets an address on each network', { wallets: () => [mover.wallet] }, async ({ modal }) => {
    const { name, wallet, account } = mover
    const cold = freshAddress()
    await register(mover)
    await modal.connect(wallet)
    await modal.openName(name)
    await modal.press('name-edit-address-60')
    await modal.shows('NameAddress')
    await modal.find('name-target-input').fill(cold)
    await modal.press('name-change-button')
    await modal.says(`Address of ${name} saved`)
    await modal.find('name-place-60').getByTitle(cold).waitFor()
    assert.equal(await outside.getEnsAddress({ name }), cold)
    assert.equal(await outside.getEnsAddress({ name, coinType: BigInt(here) }), account.address.toLowerCase())
  })

  const keeper = ownerOfName()
  journey(
    'keeps the draft when the visitor declines',
    { wallets: () => [keeper.wallet] },
    async ({ modal }) => {
      const { name, wallet } = keeper
      await register(keeper)
      await modal.connect(wallet)
      await modal.openName(name)
      await modal.press('name-edit-records')
      await modal.find('name-record-input-bio').fill('Not yet')
      wallet.approvals.rejectNext()
      await modal.press('name-change-button')
      await modal.find('name-change-failure').getByText('You declined. Nothing was changed.').waitFor()
      await modal.press('header-back')
      await modal.press('name-edit-records')
      assert.equal(await modal.find('name-record-input-bio').inputValue(), 'Not yet')
      assert.deepEqual((await lookUp(name))?.attributes, {})
      await modal.press('name-change-button')
      await modal.says(`Profile of ${name} saved`)
    },
  )

  const leaver = ownerOfName()
  journey('is released once it was typed', { wallets: () => [leaver.wallet] }, async ({ modal }) => {
    const { name, wallet } = leaver
    await register(leaver)
    await modal.connect(wallet)
    await modal.openName(name)
    await modal.press('name-release')
    await modal.find('name-release-input').fill(name.slice(0, -1))
    assert.equal(await modal.find('name-change-button').isEnabled(), false)
    await modal.find('name-release-input').fill(name)
    await modal.press('name-change-button')
    await modal.says(`${name} was released`)
    await modal.find('names-empty').waitFor()
    await modal.accountButton.getByText(name).waitFor({ state: 'detached' })
    assert.equal(await lookUp(name), undefined)
    assert.equal(await outside.getEnsAddress({ name }), null)
  })

  const longest = ownerOfName()
  longest.name = longest.name.replace(/^/, 'm'.repeat(64 + 1 + zone.length - longest.name.length))
  journey(
    'fits its views, however long it is',
    { wallets: () => [longest.wallet], browser: { viewport: { width: 390, height: 844 } } },
    async ({ modal }) => {
      const { name, wallet } = longest
      await register(longest, { bio: 'w'.repeat(255), url: `https://example.org/${'a'.repeat(400)}` })
      await modal.connect(wallet)
      await modal.openName(name)
      for (const [button, view] of [
        ['name-edit-records', 'NameRecords'],
        ['name-edit-address-60', 'NameAddress'],
        ['name-transfer', 'NameTransfer'],
        ['name-release', 'NameRelease'],
      ]) {
        assert.deepEqual(await overflowing(modal), [])
        await modal.press(String(button))
        await modal.shows(String(view))
        assert.deepEqual(await overflowing(modal), [])
        // By keyboard, because the view and its button may still be moving.
        await modal.find('header-back').press('Enter')
        await modal.shows('NameDetail')
      }
    },
  )

  const giver = ownerOfName()
  journey(
    'is transferred, and appears on the page of its new owner without a reload',
    { wallets: () => [giver.wallet] },
    async ({ modal, context }) => {
      const { name, wallet } = giver
      await register(giver, { bio: 'The former owner’s' })
      const heir = walletOf({ privateKeys: [generatePrivateKey()] })
      const other = await visit(context, heir)
      try {
        await other.modal.connect(heir)
        await other.modal.openOwnNames()
        await other.modal.find('names-empty').waitFor()

        await modal.connect(wallet)
        await modal.openName(name)
        await modal.press('name-transfer')
        await modal.find('name-target-input').fill(heir.address)
        await modal.press('name-change-button')
        await modal.says(`${name} was transferred`)
        await modal.find('names-empty').waitFor()

        await other.modal.press(`own-name-${name}`)
        await other.modal.shows('NameDetail')
        await other.modal.find(`name-place-${here}`).getByTitle(heir.address).waitFor()
        await other.modal.press('name-accept')
        await other.modal.says(`${name} is yours`)
        await other.modal.accountButton.getByText(name).waitFor()
      } finally {
        await other.close()
      }
      assert.deepEqual((await lookUp(name))?.attributes, {})
      assert.equal(await outside.getEnsAddress({ name, coinType: BigInt(here) }), heir.address.toLowerCase())
    },
  )

  const elsewhere = ownerOfName()
  journey(
    'that is registered and released on another page shows without a reload',
    { wallets: () => [elsewhere.wallet] },
    async ({ modal }) => {
      const { name, wallet, account } = elsewhere
      await modal.connect(wallet)
      await modal.openOwnNames()
      await modal.find('names-empty').waitFor()
      await register(elsewhere)
      await modal.find(`own-name-${name}`).waitFor()
      await modal.accountButton.getByText(name).waitFor()
      await changeName(account, `/${name}/attributes`, { attributes: { bio: 'Changed by another program' } })
      await modal.find(`own-name-${name}`).getByText('Changed by another program').waitFor()
      await changeName(account, `/${name}/release`, { release: name })
      await modal.find('names-empty').waitFor()
      await modal.accountButton.getByText(name).waitFor({ state: 'detached' })
    },
  )
})

describe('an account that is a contract', () => {
  const wallet = walletOf({ privateKeys: [key], contract })

  journey('registers a name and writes its records', { wallets: () => [wallet] }, async ({ modal }) => {
    const label = `vault-${contract.slice(2, 12).toLowerCase()}`
    const name = `${label}.${zone}`
    await modal.connect(wallet)
    await modal.openNames()
    await modal.find('wui-ens-input').fill(label)
    await modal.find('name-hint').getByText('This name is available').waitFor()
    await modal.press('name-register-button')
    await modal.card.getByText('Account name chosen successfully', { exact: true }).waitFor()
    await modal.press('name-go-button')
    await modal.accountButton.getByText(name).waitFor()
    const record = await lookUp(name)
    assert.deepEqual(
      Object.entries(record?.addresses ?? {}).map(([coinType, { address }]) => [coinType, address]),
      [[String(here), contract]],
    )
    await modal.press('account-settings-button')
    await modal.press('account-names-button')
    await modal.press(`own-name-${name}`)
    await modal.press('name-edit-records')
    await modal.find('name-record-input-bio').fill('Signs by ERC-1271')
    await modal.press('name-change-button')
    await modal.says(`Profile of ${name} saved`)
    assert.deepEqual((await lookUp(name))?.attributes, { bio: 'Signs by ERC-1271' })
  })
})

describe('an account with a name of another zone in ENS', () => {
  const owner = newOwner()
  const wallet = walletOf({ privateKeys: [owner.privateKey] })

  journey(
    'is shown by it, with its picture from the gateway only',
    { wallets: () => [wallet] },
    async ({ page, modal }) => {
      const name = await registerInEns(`face-${wallet.address.slice(2, 10).toLowerCase()}`, wallet.address)
      await showInEns(wallet.address, name, `data:image/png;base64,${PIXEL}`)
      await modal.connect(wallet)
      await modal.accountButton.getByText(name).waitFor()
      const picture = modal.accountButton.locator('img.hw-avatar')
      await picture.waitFor()
      const source = new URL((await picture.getAttribute('src')) ?? '')
      assert.equal(source.origin, new URL(site.gatewayUrl).origin)
      assert.equal(source.pathname, `/v1/identity/${wallet.address}/avatar`)
      await eventually(async () =>
        assert.equal(await picture.evaluate((image) => /** @type {any} */ (image).naturalWidth), 1),
      )
      await modal.openAccount()
      await page.locator('[data-view="Account"] img.hw-avatar').waitFor()
    },
  )
})

describe('a receiver by name', () => {
  journey(
    'may have a name of another zone in ENS',
    { account: 6, expectedErrors: NOT_FOUND },
    async ({ modal, wallet, page }) => {
      const to = freshAddress()
      const name = await registerInEns(`nick-${to.slice(2, 10).toLowerCase()}`, to)
      await modal.connect(wallet)
      await modal.prepareSend({ symbol: 'ETH', amount: '0.125', to: name })
      const preview = page.locator('[data-view="WalletSendPreview"]')
      await preview.getByText(name, { exact: true }).waitFor()
      await preview.getByText(to, { exact: true }).waitFor()
      await modal.press('send-confirm-button')
      await modal.isSent()
      await eventually(async () => assert.equal(await devnet.balance(to), 125_000_000_000_000_000n))
    },
  )

  journey('is sent nothing once the name changes its address', { account: 6 }, async ({ modal, wallet }) => {
    const owner = newOwner()
    const { name, account } = owner
    const next = freshAddress()
    await register(owner)
    await modal.connect(wallet)
    await modal.prepareSend({ symbol: 'ETH', amount: '0.125', to: name })
    await changeName(account, `/${name}/address`, { coin_type: here, address: next })
    await modal.press('send-confirm-button')
    await modal.says(`${name} now points to a different address. Nothing was sent.`)
    await modal.shows('WalletSend')
    await modal.find('send-address-outcome').getByText(next, { exact: true }).waitFor()
    assert.equal(wallet.requests.filter(({ method }) => method === 'eth_sendTransaction').length, 0)

    await modal.press('send-accept-address')
    await modal.readyToReview()
    await modal.press('send-review-button')
    await modal.press('send-confirm-button')
    await modal.isSent()
    await eventually(async () => assert.equal(await devnet.balance(next), 125_000_000_000_000_000n))
    assert.equal(await devnet.balance(account.address), 0n)
  })
})

const owner = ownerOfName()
journey(
  `axe finds nothing in the views of names`,
  { wallets: () => [owner.wallet], expectedErrors: NOT_FOUND },
  async ({ page, modal }) => {
    const { name, wallet } = owner
    await modal.connect(wallet)
    await modal.openOwnNames()
    await modal.find('names-empty').waitFor()
    await assertAccessible(page)
    await register(owner, { bio: 'Sails', url: 'https://example.org', 'com.discord': 'alice' })
    await modal.find(`own-name-${name}`).waitFor()
    await assertAccessible(page)

    // By keyboard only.
    await modal.find(`own-name-${name}`).focus()
    await page.keyboard.press('Enter')
    await modal.shows('NameDetail')
    await modal.press('name-other-networks')
    await assertAccessible(page)

    await modal.press('name-edit-records')
    await modal.shows('NameRecords')
    await assertAccessible(page)
    await modal.find('name-record-input-url').fill('example.org')
    await modal.find('name-record-input-bio').fill('a'.repeat(256))
    await assertAccessible(page)
    await modal.find('name-record-input-url').fill('')
    await modal.find('name-record-input-bio').fill('Rows')
    const prompt = wallet.approvals.holdNext()
    await page.keyboard.press('Enter')
    await prompt.opened
    await assertAccessible(page)
    prompt.reject()
    await modal.find('name-change-failure').waitFor()
    await assertAccessible(page)
    await modal.press('header-back')

    await modal.press('name-edit-address-60')
    await modal.find('name-target-input').waitFor()
    await assertAccessible(page)
    await modal.press('header-back')

    await modal.press('name-transfer')
    await modal.find('name-target-input').fill(`nobody-at-all.${zone}`)
    await modal.find('name-target-outcome').getByText('Name not found').waitFor()
    await assertAccessible(page)
    await modal.find('name-target-input').fill(wallet.address)
    await modal.find('name-target-outcome').getByText('This is your own account').waitFor()
    await assertAccessible(page)
    await modal.press('header-back')

    await modal.press('name-release')
    await modal.find('name-release-input').fill(name)
    await assertAccessible(page)
  },
)

/**
 * Opens the page as another visitor, with a browser of their own.
 *
 * @param {import('playwright-core').BrowserContext} context
 * @param {import('../kit/wallet/testWallet.mjs').TestWallet} wallet
 */
async function visit(context, wallet) {
  const theirs = await context.browser()?.newContext({ viewport: { width: 1280, height: 800 } })
  if (!theirs) throw new Error('there is no browser')
  theirs.setDefaultTimeout(30_000)
  await installWallet(theirs, wallet)
  const page = await theirs.newPage()
  await page.goto(new URL('/lab', site.url).href)
  return { modal: new Modal(page), close: () => theirs.close() }
}

/**
 * Returns the texts that do not fit into their line.
 *
 * @param {Modal} modal
 * @returns {Promise<(string | null)[]>}
 */
function overflowing(modal) {
  return modal.card.evaluate((card) => {
    const texts = /** @type {HTMLElement[]} */ ([...card.querySelectorAll('label, p, li, a, h3')])
    const isCut = (/** @type {HTMLElement} */ text) => text.scrollWidth > text.clientWidth + 1
    return texts
      .filter((text) => getComputedStyle(text).overflowX === 'visible' && isCut(text))
      .map((text) => text.textContent)
  })
}
