import assert from 'node:assert/strict'
import { patience } from './browser.mjs'
import { eventually } from './eventually.mjs'

/** The modal and the buttons that open it, as a visitor uses them. */
export class Modal {
  /** @param {import('playwright-core').Page} page */
  constructor(page) {
    this.page = page
    this.card = page.getByTestId('w3m-modal-card')
    this.overlay = page.getByTestId('w3m-modal-overlay')
    this.title = page.getByTestId('w3m-header-text')
    this.toast = page.getByTestId('wui-snackbar-message')
    this.connectButton = page.getByTestId('connect-button').first()
    this.accountButton = page.getByTestId('account-button').first()
    this.networkButton = page.getByTestId('w3m-network-button').first()
  }

  /** @param {string} testId */
  find(testId) {
    return this.page.getByTestId(testId)
  }

  /** @param {string} testId */
  async press(testId) {
    await this.find(testId).first().click()
  }

  /**
   * Waits until the modal shows a view.
   *
   * @param {string} view
   */
  async shows(view) {
    await this.page.locator(`.hw-view[data-view="${view}"]`).waitFor()
  }

  async isClosed() {
    await this.overlay.waitFor({ state: 'detached' })
  }

  /**
   * Waits for a toast with exactly this text.
   *
   * @param {string} text
   */
  async says(text) {
    await this.toast.getByText(text, { exact: true }).waitFor()
  }

  /** @param {import('./wallet/testWallet.mjs').TestWallet} wallet */
  async connect(wallet) {
    await this.connectButton.click()
    await this.press(`wallet-selector-${wallet.info.rdns}`)
    await this.accountButton.waitFor()
    await this.isClosed()
  }

  async openAccount() {
    await this.accountButton.click()
    await this.shows('Account')
  }

  /** Opens the form of a new name. */
  async openNames() {
    await this.openAccount()
    await this.press('account-settings-button')
    await this.press('account-choose-name-button')
    await this.shows('RegisterAccountName')
  }

  /** Opens the names of the account. */
  async openOwnNames() {
    await this.openAccount()
    await this.press('account-settings-button')
    await this.press('account-names-button')
    await this.shows('Names')
  }

  /**
   * Opens the name that the account is shown by. The rows move when that name becomes known.
   *
   * @param {string} name
   */
  async openName(name) {
    await this.accountButton.getByText(name).waitFor()
    await this.openOwnNames()
    await this.press(`own-name-${name}`)
    await this.shows('NameDetail')
  }

  /** @param {'tokens' | 'nfts' | 'activity' | 'access'} tab */
  async openTab(tab) {
    await this.openAccount()
    await this.press(`tab-${tab}`)
  }

  /**
   * Returns a row of the activity tab.
   *
   * @param {string} hash of its transaction
   */
  activity(hash) {
    return this.find(`activity-${hash}`)
  }

  /**
   * Returns a row of the access tab.
   *
   * @param {string} spender plain address, in any case
   */
  approval(spender) {
    return this.page.locator(`[data-testid^="approval-"][data-spender$="${spender}" i]`)
  }

  /** Confirms the review of a revocation once it is complete. */
  async confirmRevocation() {
    await this.shows('RevokeApprovals')
    await this.page.locator('[data-testid="revocation-confirm-button"]:enabled').waitFor()
    await this.press('revocation-confirm-button')
  }

  /**
   * Waits until the account button's native balance is exactly this.
   *
   * @param {string} amount decimal, in whole tokens
   */
  async nativeBalanceIs(amount) {
    await this.#amountIs(this.accountButton.locator('.hw-amount'), amount)
  }

  /**
   * Waits until a row of the token list holds exactly this.
   *
   * @param {string} symbol
   * @param {string} amount decimal, in whole tokens
   * @param {number} [timeout] milliseconds
   */
  async tokenIs(symbol, amount, timeout) {
    await this.#amountIs(this.find(`token-${symbol}`).locator('.hw-amount'), amount, timeout)
  }

  /**
   * Waits until an amount is shown. The short text may cut digits; the title has all of them.
   *
   * @param {import('playwright-core').Locator} locator
   * @param {string} amount
   * @param {number} [timeout] milliseconds
   */
  async #amountIs(locator, amount, timeout) {
    await eventually(async () => {
      const title = await locator.first().getAttribute('title', { timeout: 1_000 })
      assert.equal(title?.split(/\s/)[0]?.replaceAll(',', ''), amount)
    }, timeout)
  }

  /**
   * Fills in the send form up to its preview.
   *
   * @param {{ symbol: string, amount: string, to: string }} transfer
   */
  async prepareSend({ symbol, amount, to }) {
    await this.openAccount()
    await this.press('wallet-features-send-button')
    await this.chooseToken(symbol)
    await this.find('send-amount-input').fill(amount)
    await this.find('send-address-input').fill(to)
    await this.readyToReview()
    await this.press('send-review-button')
    await this.shows('WalletSendPreview')
  }

  /**
   * Waits until the confirmed transfer is in a block, and leaves the view that shows it.
   *
   * @param {number} [timeout] milliseconds
   */
  async isSent(timeout = patience) {
    const status = this.page.locator('[data-testid="transaction-status"][data-status="confirmed"]')
    await status.waitFor({ timeout })
    await this.press('transaction-done-button')
    await this.shows('Account')
  }

  /**
   * Waits until the confirmed swap is in a block, and leaves the view that shows it.
   *
   * @param {RegExp} text what the view says then
   */
  async isSwapped(text) {
    await this.find('transaction-label').getByText(text).waitFor()
    await this.press('transaction-done-button')
    await this.shows('Account')
  }

  /** @param {string} symbol */
  async chooseToken(symbol) {
    await this.press('send-select-token-button')
    await this.press(`send-token-${symbol}`)
    await this.shows('WalletSend')
  }

  /** Waits until the send form is complete. */
  async readyToReview() {
    await this.sendButtonSays('Review send')
    await this.page.locator('[data-testid="send-review-button"]:enabled').waitFor()
  }

  /**
   * Waits until the send form's button says what is missing.
   *
   * @param {string} label
   */
  async sendButtonSays(label) {
    await this.find('send-review-button').getByText(label, { exact: true }).waitFor()
  }

  /**
   * Opens the swap with its tokens chosen and its amount typed.
   *
   * @param {{ sell: string, buy: string, amount: string }} swap
   */
  async openSwap({ sell, buy, amount }) {
    await this.openAccount()
    await this.press('wallet-features-swaps-button')
    await this.shows('Swap')
    if (sell !== 'ETH') await this.chooseSwapToken('sourceToken', sell)
    await this.chooseSwapToken('toToken', buy)
    await this.find('swap-input-token-sourceToken').fill(amount)
  }

  /**
   * @param {'sourceToken' | 'toToken'} side
   * @param {string} symbol
   */
  async chooseSwapToken(side, symbol) {
    await this.press(`swap-select-token-button-${side}`)
    await this.shows('SwapSelectToken')
    await this.press(`swap-select-token-item-${symbol}`)
    await this.shows('Swap')
  }

  /** Opens the purchase of tUSD for a hundred dollars, with the sellers' offers. */
  async openOnramp() {
    await this.openAccount()
    await this.press('wallet-features-onramp-button')
    await this.shows('OnRampProviders')
    await this.press('onramp-token-button')
    await this.press('onramp-token-tUSD-eip155:31337')
    await this.shows('OnRampProviders')
    await this.press('onramp-preset-100')
  }

  /** Waits until the swap has a quote and is complete. */
  async readyToSwap() {
    await this.page.locator('[data-testid="swap-action-button"]:enabled').waitFor()
  }

  /**
   * Fills in the swap up to its preview.
   *
   * @param {{ sell: string, buy: string, amount: string }} swap
   */
  async prepareSwap(swap) {
    await this.openSwap(swap)
    await this.readyToSwap()
    await this.press('swap-action-button')
    await this.readyToConfirmSwap()
  }

  /** Waits until the preview of a swap can be confirmed; accepts a loss of more than 10 percent. */
  async readyToConfirmSwap() {
    await this.shows('SwapPreview')
    const confirm = this.page.locator('[data-testid="swap-confirm-button"]:enabled')
    const accept = this.find('swap-impact-accept')
    await confirm.or(accept).first().waitFor()
    if ((await accept.count()) > 0) await accept.check()
    await confirm.waitFor()
  }

  /**
   * Returns what the swap pays, as the preview shows it.
   *
   * @returns {Promise<string>} decimal, in whole tokens
   */
  async quotedAmount() {
    const text = await this.find('swap-preview-toToken').textContent()
    return (text ?? '').split(/\s/)[0]?.replaceAll(',', '') ?? ''
  }

  /**
   * Waits until the swap's main button says what is missing.
   *
   * @param {string} label
   */
  async swapButtonSays(label) {
    await this.find('swap-action-button').getByText(label, { exact: true }).waitFor()
  }
}
