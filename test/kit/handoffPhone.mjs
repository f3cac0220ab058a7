import { browser, patience } from './browser.mjs'
import { devnet } from './chain.mjs'
import { eventually } from './eventually.mjs'
import { installWallet } from './wallet/install.mjs'
import { WalletPage } from './walletPage.mjs'
import { walletOf } from './wallets.mjs'

/** A phone with a wallet that has a browser: a browser of its own, beside that at the desk. */
export class HandoffPhone {
  /**
   * @param {import('playwright-core').BrowserContext} context
   * @param {import('./wallet/testWallet.mjs').TestWallet} wallet
   */
  constructor(context, wallet) {
    this.context = context
    this.wallet = wallet
  }

  /** @param {number} [account] index of the wallet's account */
  static async start(account = 0) {
    const context = await (await browser()).newContext({
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
      deviceScaleFactor: 2,
      reducedMotion: 'reduce',
    })
    context.setDefaultTimeout(patience)
    const wallet = walletOf({ account })
    // Other journeys spend what this account has.
    await devnet.setBalance(wallet.address, 100n * 10n ** 18n)
    await installWallet(context, wallet)
    return new HandoffPhone(context, wallet)
  }

  /** Opens the page of a hand-off, as the wallet's link does. @param {string} link */
  async open(link) {
    const walletPage = new WalletPage(await this.context.newPage())
    await walletPage.open(link)
    return walletPage
  }

  /** Closes all pages, as a phone does with an app that it needs the memory of. */
  async sleep() {
    for (const page of this.context.pages()) await page.close()
  }

  close() {
    return this.context.close()
  }
}

/**
 * Chooses MetaMask, whose code is for the phone's camera.
 *
 * @param {import('./modal.mjs').Modal} modal
 * @returns {Promise<string>} the link of the hand-off
 */
export async function offerHandoff(modal) {
  await modal.connectButton.click()
  await modal.press('all-wallets')
  await modal.find('wui-input-text').fill('metamask')
  const tiles = modal.page.locator('[data-testid^=wallet-search-item]')
  await eventually(async () => {
    if ((await tiles.count()) !== 1) throw new Error('MetaMask is not found yet')
  })
  await tiles.first().click()
  await modal.card.getByText('Scan with your phone’s camera').waitFor()
  return (await modal.find('copy-wc2-uri').getAttribute('title')) ?? ''
}

/**
 * Connects the page to a phone: the digits are compared, and confirmed on both screens. Prints how long that takes from the scan, with
 * no time for the visitor.
 *
 * @param {import('./modal.mjs').Modal} modal
 * @param {HandoffPhone} phone
 */
export async function connectByHandoff(modal, phone) {
  const link = await offerHandoff(modal)
  const scanned = performance.now()
  const walletPage = await phone.open(link)
  await walletPage.shows('Compare the numbers')
  await modal.press('handoff-confirm')
  await walletPage.press('Yes, it’s the same')
  await modal.accountButton.waitFor()
  console.log(`hand-off: connected ${Math.round(performance.now() - scanned)} ms after the scan`)
  return { link, walletPage }
}
