import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseEther } from 'viem'
import { assertAccessible } from '../kit/accessibility.mjs'
import { browser } from '../kit/browser.mjs'
import { devnet, freshAddress } from '../kit/chain.mjs'
import { launchChromium } from '../kit/chromium.mjs'
import { logIn, mailedCode, newEmail, requestCode, requestShown, walletFrame } from '../kit/embedded.mjs'
import { eventually } from '../kit/eventually.mjs'
import { journey, mainJourney } from '../kit/journey.mjs'
import { Modal } from '../kit/modal.mjs'
import { press } from '../kit/press.mjs'
import { playsMainOnly } from '../kit/selection.mjs'
import { site } from '../kit/site.mjs'

/** A visitor without a wallet. */
const visitor = { query: '?devWallet=0', wallets: () => [] }

/**
 * Returns the account that the page shows.
 *
 * @param {import('../kit/modal.mjs').Modal} modal
 */
async function shownAddress(modal) {
  const text = await modal.find('w3m-address').textContent()
  return /** @type {`0x${string}`} */ (/0x[0-9a-f]{40}/i.exec(text ?? '')?.[0])
}

/**
 * Asserts that the wallet's frame is as high as its request, and covers the card with its title.
 *
 * @param {import('playwright-core').Page} page
 */
async function assertFitted(page) {
  const spare = await walletFrame(page)
    .locator('.content')
    .evaluate((content) => content.clientHeight - (content.firstElementChild?.clientHeight ?? 0))
  assert.ok(Math.abs(spare) <= 1, `${spare} px are spare`)
  const card = await page.getByTestId('w3m-modal-card').boundingBox()
  assert.deepEqual(await page.locator('#hawser-frame').boundingBox(), card)
}

describe('a visitor who logs in by email', () => {
  mainJourney('sends a first transaction, approved in the frame', visitor, async (scene) => {
    const { page, modal } = scene
    await logIn(scene, newEmail())
    const address = await shownAddress(modal)
    await devnet.setBalance(address, parseEther('2'))
    await page.reload()
    await modal.nativeBalanceIs('2')

    const to = freshAddress()
    await modal.prepareSend({ symbol: 'ETH', amount: '0.5', to })
    await modal.press('send-confirm-button')
    await modal.shows('ApproveTransaction')
    const frame = walletFrame(page)
    const amount = frame.getByText('0.5 ETH')
    await amount.waitFor()
    await frame.getByText(/^\$0\.\d\d$/).waitFor() // what the fee is worth
    assert.equal(await amount.count(), 1, 'times that the amount is shown')
    await eventually(() => assertFitted(page))
    await press(frame.getByRole('button', { name: 'Approve' }))
    await modal.shows('TransactionStatus')
    await eventually(async () => assert.equal(await devnet.balance(to), parseEther('0.5')))
  })

  journey('swaps, approved in the frame, and keeps a swap that they reject', visitor, async (scene) => {
    const { page, modal } = scene
    await logIn(scene, newEmail())
    await devnet.setBalance(await shownAddress(modal), parseEther('2'))
    await page.reload()
    await modal.nativeBalanceIs('2')
    await modal.prepareSwap({ sell: 'ETH', buy: 'tUSD', amount: '0.5' })
    const frame = walletFrame(page)

    await modal.press('swap-confirm-button')
    await requestShown(page)
    await frame.getByRole('button', { name: 'Reject' }).click()
    await modal.readyToConfirmSwap()
    await modal.press('swap-confirm-button')
    await requestShown(page)
    await press(frame.getByRole('button', { name: 'Approve' }))
    await modal.isSwapped(/^Swapped 0\.5 ETH for [\d,.]+ tUSD$/)
  })

  journey('stays logged in over a reload, until a disconnect', visitor, async (scene) => {
    const { page, modal } = scene
    const email = newEmail()
    await logIn(scene, email)
    const address = await shownAddress(modal)
    await page.reload()
    await modal.accountButton.waitFor()
    assert.equal(await shownAddress(modal), address)
    await modal.find('w3m-user').getByText(email).waitFor()

    await modal.openAccount()
    await modal.press('account-settings-button')
    await modal.press('disconnect-button')
    await modal.connectButton.waitFor()
    await page.reload()
    await modal.connectButton.waitFor()
  })

  journey('sees that a code is wrong, and can enter another one', visitor, async (scene) => {
    const { modal } = scene
    const email = newEmail()
    await requestCode(scene, email)
    const code = await mailedCode(email)
    await modal.find('wui-otp-input').fill(code === '000000' ? '000001' : '000000')
    await modal
      .find('otp-error')
      .getByText(/Try Again$/)
      .waitFor()
    assert.equal(await modal.find('wui-otp-input').inputValue(), '')
    await modal.find('wui-otp-input').fill(code)
    await modal.accountButton.waitFor()
  })

  journey('waits 30 seconds for another mail', visitor, async (scene) => {
    const { page, modal } = scene
    const email = newEmail()
    await requestCode(scene, email)
    assert.match((await modal.find('email-resend').textContent()) ?? '', /^Resend in \d+s$/)
    await page.reload()
    await modal.connectButton.click()
    await modal.find('wui-email-input').fill(email)
    await page.keyboard.press('Enter')
    await modal.toast.getByText(/^Please try again after \d+ seconds$/).waitFor()
  })

  journey('rejects a request in the frame, by Escape, or beside the frame', visitor, async (scene) => {
    const { page, modal } = scene
    await logIn(scene, newEmail())
    const frame = walletFrame(page)
    const ways = [
      () => frame.getByRole('button', { name: 'Reject' }).click(),
      () => frame.getByRole('button', { name: 'Approve' }).press('Escape'),
      () => page.mouse.click(20, 400),
    ]
    for (const reject of ways) {
      await modal.press('sign-message-button')
      await modal.shows('ApproveTransaction')
      await requestShown(page)
      await reject()
      await modal.isClosed()
    }
    assert.equal(await page.getByTestId('w3m-signature').count(), 0)
  })

  journey('keeps the type of account that they switched to', visitor, async (scene) => {
    const { page, modal } = scene
    await logIn(scene, newEmail())
    const address = await shownAddress(modal)
    const toggle = modal.find('account-toggle-preferred-account-type')
    const openSettings = async () => {
      await modal.openAccount()
      await modal.press('account-settings-button')
    }
    await openSettings()
    await toggle.getByText('Switch to your standard account').click()
    await toggle.getByText('Switch to your smart account').waitFor()
    await page.reload()
    await openSettings()
    await toggle.getByText('Switch to your smart account').waitFor()
    assert.equal(await shownAddress(modal), address)
  })

  journey('changes the email with a code from each mailbox', visitor, async (scene) => {
    const { modal } = scene
    const [email, newAddress] = [newEmail(), newEmail()]
    await logIn(scene, email)
    await modal.openAccount()
    await modal.press('account-settings-button')
    await modal.press('w3m-account-email-update')
    await modal.shows('UpdateEmailWallet')
    await modal.find('wui-email-input').fill(newAddress)
    await modal.press('w3m-update-email-save')
    const frame = walletFrame(scene.page)
    await frame.getByText(newAddress).waitFor()
    await press(frame.getByRole('button', { name: 'Approve' }))
    await modal.shows('UpdateEmailPrimaryOtp')
    await modal.find('wui-otp-input').fill(await mailedCode(email))
    await modal.shows('UpdateEmailSecondaryOtp')
    await modal.find('wui-otp-input').fill(await mailedCode(newAddress))
    await modal.find('w3m-account-email-update').getByText(newAddress).waitFor()
  })
})

describe('a visitor who logs in with a social account', () => {
  /**
   * Selects a provider, and returns the page of its window.
   *
   * @param {import('../kit/journey.mjs').Scene} scene
   * @param {string} provider
   */
  async function openProvider({ context, modal }, provider) {
    await modal.connectButton.click()
    await modal.find('w3m-social-login-widget').waitFor()
    if ((await modal.find(`social-selector-${provider}`).count()) === 0)
      await modal.press('social-selector-more')
    const opened = context.waitForEvent('page')
    await modal.press(`social-selector-${provider}`)
    await modal.shows('ConnectingSocial')
    const window = await opened
    // The size that the page asks for: outside of it there is no window that Firefox's mouse could press.
    await window.setViewportSize({ width: 600, height: 800 })
    return window
  }

  for (const provider of ['google', 'x', 'discord', 'github', 'apple', 'facebook']) {
    const play = provider === 'google' ? mainJourney : journey
    play(`of ${provider} is connected, and known by that login`, visitor, async (scene) => {
      const { modal } = scene
      const window = await openProvider(scene, provider)
      await window.locator('[data-testid^=person-]').first().click()
      await modal.accountButton.waitFor()
      await modal.isClosed()
      await modal.openAccount()
      await modal.press('account-settings-button')
      await modal
        .find('account-social')
        .getByText(/^Logged in with/)
        .waitFor()
    })
  }

  const onPhone = {
    ...visitor,
    browser: {
      userAgent:
        'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
      viewport: { width: 412, height: 915 },
      hasTouch: true,
    },
  }

  journey('of Farcaster is connected once the app has signed', onPhone, async (scene) => {
    const { modal } = scene
    await modal.connectButton.click()
    await modal.press('social-selector-farcaster')
    await modal.shows('ConnectingFarcaster')
    const opened = scene.context.waitForEvent('page')
    await modal.card.getByRole('link').click()
    await (await opened).getByTestId('person-carol').click()
    await modal.accountButton.waitFor()
    await modal.openAccount()
    await modal.press('account-settings-button')
    await modal.find('account-social').getByText('carol', { exact: true }).waitFor()
  })

  const refused = { ...visitor, expectedErrors: /the server responded with a status of 4\d\d/ }

  journey('sees that they cancelled at the provider, and can try again', refused, async (scene) => {
    const { modal, context } = scene
    const window = await openProvider(scene, 'google')
    const closed = window.waitForEvent('close')
    await window.getByTestId('cancel').click()
    await closed
    const retry = modal.find('w3m-connecting-widget-secondary-button')
    await modal.card.getByText('You cancelled', { exact: true }).waitFor()
    const again = context.waitForEvent('page')
    await retry.click()
    await (await again).locator('[data-testid^=person-]').first().click()
    await modal.accountButton.waitFor()
  })

  journey('is not kept waiting after they closed the window', visitor, async (scene) => {
    const { modal, context } = scene
    await (await openProvider(scene, 'google')).close()
    await modal.card.getByText('You closed the window', { exact: true }).waitFor()
    const again = context.waitForEvent('page')
    await modal.press('w3m-connecting-widget-secondary-button')
    await (await again).close()
    await modal.press('waiting-other')
    await modal.shows('Connect')
  })
})

describe('a visitor who cannot reach the wallet', () => {
  const unreached = { ...visitor, expectedErrors: /ERR_BLOCKED_BY_CLIENT|embedded wallet/ }

  journey('reads so below the field, and can try again', unreached, async (scene) => {
    const { page, modal } = scene
    const origin = `${site.frameOrigin}/**`
    await page.route(origin, (route) => route.abort('blockedbyclient'))
    await modal.connectButton.click()
    await modal.find('wui-email-input').fill(newEmail())
    await page.keyboard.press('Enter')
    const retry = modal.find('email-retry')
    await retry.waitFor()
    await modal.card.getByText('Unable to load email login dependency').waitFor()
    assert.equal(await modal.toast.count(), 0)
    await modal.press('social-selector-google')
    await modal.shows('ConnectingSocial')
    await modal.find('w3m-connecting-widget-secondary-button').waitFor()
    await modal.press('waiting-other')
    await page.unroute(origin)
    await modal.find('wui-email-input').fill(newEmail())
    await page.keyboard.press('Enter')
    await page.locator('[data-view=EmailVerifyDevice], [data-view=EmailVerifyOtp]').first().waitFor()
  })
})

test('a visitor has the same account on another site, once that device is approved', {
  timeout: 120_000,
  skip: playsMainOnly(),
}, async () => {
  const context = await (await browser()).newContext({ viewport: { width: 1280, height: 800 } })
  context.setDefaultTimeout(30_000)
  const email = newEmail()
  const addresses = []
  // The same machine under two names: two sites, whose frames have separate storages.
  for (const host of ['localhost', '127.0.0.1']) {
    const url = new URL(`/lab${visitor.query}`, site.url)
    url.hostname = host
    const page = await context.newPage()
    await page.goto(url.href)
    const modal = new Modal(page)
    await logIn({ context, page, modal }, email)
    addresses.push(await shownAddress(modal))
  }
  assert.equal(addresses[1], addresses[0])
  await context.close()
})

test('a visitor whose browser denies storage secures the wallet with a password', {
  timeout: 120_000,
  skip: playsMainOnly(),
}, async () => {
  // Without the partition of third-party storage, Chromium denies it to the frame.
  const denying = await launchChromium([], { whole: true })
  try {
    const context = await denying.newContext({ viewport: { width: 1280, height: 800 } })
    context.setDefaultTimeout(30_000)
    const page = await context.newPage()
    await page.goto(new URL(`/lab${visitor.query}`, site.url).href)
    const modal = new Modal(page)
    const email = newEmail()
    await requestCode({ context, page, modal }, email)
    await modal.find('wui-otp-input').fill(await mailedCode(email))
    const frame = walletFrame(page)
    await frame.getByRole('heading', { name: 'Secure your wallet' }).waitFor()
    await frame.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
    await frame.getByLabel('Repeat the password').fill('correct horse battery staple')
    await frame.getByRole('button', { name: 'Use a password' }).click()
    await modal.accountButton.waitFor()
    await modal.press('sign-message-button')
    await press(frame.getByRole('button', { name: 'Approve' }))
    await modal.find('w3m-signature').waitFor()
  } finally {
    await denying.close()
  }
})

describe('axe finds nothing', () => {
  journey(`in the logins`, visitor, async (scene) => {
    const { page, modal } = scene
    await modal.connectButton.click()
    await modal.find('wui-email-input').waitFor()
    await assertAccessible(page)
    await modal.press('social-selector-more')
    await modal.shows('ConnectSocials')
    await assertAccessible(page)
    await modal.press('w3m-header-close')
    await modal.isClosed()
    await requestCode(scene, newEmail())
    await assertAccessible(page)
  })
  journey(`in the account of an embedded wallet`, visitor, async (scene) => {
    const { page, modal } = scene
    await logIn(scene, newEmail())
    await modal.openAccount()
    await modal.press('account-settings-button')
    await modal.find('w3m-account-email-update').waitFor()
    await assertAccessible(page)
    await modal.press('w3m-account-email-update')
    await modal.shows('UpdateEmailWallet')
    await assertAccessible(page)
    await modal.press('header-back')
    await modal.press('w3m-account-upgrade-wallet')
    await modal.shows('UpgradeEmailWallet')
    await assertAccessible(page)
  })
})
