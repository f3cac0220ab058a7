import assert from 'node:assert/strict'

/** The wallet page of a hand-off, as the visitor sees it in the browser of a wallet. */
export class WalletPage {
  /** @param {import('playwright-core').Page} page */
  constructor(page) {
    this.page = page
  }

  /** @param {string} link of a hand-off */
  async open(link) {
    await this.page.goto(link)
  }

  /** Waits for the title of a screen. @param {string} title */
  async shows(title) {
    await this.page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
  }

  /** Waits for a text. @param {string | RegExp} text */
  async says(text) {
    await this.page.getByText(text).first().waitFor()
  }

  /** @param {string} name */
  async press(name) {
    await this.page.getByRole('button', { name, exact: true }).click()
  }

  /** The digits that the page shows. */
  async digits() {
    const text = await this.page.locator('.digits').textContent()
    assert.match(text ?? '', /^\d{3} \d{3}$/)
    return (text ?? '').replace(' ', '')
  }

  /**
   * Connects a site: both screens are confirmed.
   *
   * @param {import('./handoffSite.mjs').HandoffSite} desk
   * @param {Awaited<ReturnType<import('./handoffSite.mjs').HandoffSite['start']>>} [started]
   */
  async connect(desk, started) {
    const { pending, link } = started ?? (await desk.start())
    await this.open(link)
    await this.shows('Compare the numbers')
    assert.equal(await this.digits(), await pending.digits)
    await this.press('Yes, it’s the same')
    pending.confirm()
    await this.shows('Connected')
    return { session: await pending.approval, link }
  }
}
