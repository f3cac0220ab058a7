import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { assertAccessible } from '../kit/accessibility.mjs'
import { journey } from '../kit/journey.mjs'

const home = '/'

describe('the front page', () => {
  journey('connects a test account by one press', { path: home }, async ({ page, modal }) => {
    await modal.press('try-test-account')
    await modal.shows('Account')
    await modal.card.getByText('tUSD', { exact: true }).first().waitFor()
    await page.keyboard.press('Escape')
    await modal.isClosed()
    await modal.press('tour-send')
    await modal.shows('WalletSend')
  })

  journey(
    'has the modal open beside the text, without moving the focus',
    { path: home },
    async ({ page }) => {
      const frame = page.frameLocator('[data-testid=live-modal]')
      await frame.getByTestId('wallet-selector-dev-wallet').waitFor()
      await page.locator('[data-testid=live-modal][data-ready]').waitFor()
      assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'BODY')
      await frame.getByTestId('w3m-header-close').click()
      await frame.getByTestId('wallet-selector-dev-wallet').waitFor()
    },
  )

  journey('opens what was pressed once a wallet is connected', { path: home }, async ({ page, modal }) => {
    await modal.press('tour-swap')
    await modal.shows('Connect')
    await modal.press('wallet-selector-dev-wallet')
    await modal.shows('Swap')
    await page.keyboard.press('Escape')
    await modal.isClosed()
  })

  journey('forgets what was pressed when the modal is closed', { path: home }, async ({ page, modal }) => {
    await modal.press('tour-swap')
    await modal.shows('Connect')
    await page.keyboard.press('Escape')
    await modal.isClosed()
    await modal.press('try-test-account')
    await modal.shows('Account')
  })

  journey('shows the account in the modal beside the text too', { path: home }, async ({ page, modal }) => {
    const frame = page.frameLocator('[data-testid=live-modal]')
    await frame.getByTestId('wallet-selector-dev-wallet').waitFor()
    await modal.press('try-test-account')
    await modal.shows('Account')
    await page.keyboard.press('Escape')
    await frame.getByTestId('account-settings-address').waitFor()
    await page.waitForFunction(() => document.activeElement?.matches('[data-testid=try-test-account]'))
    await modal.openAccount()
    await modal.press('account-settings-button')
    await modal.press('disconnect-button')
    await frame.getByTestId('wallet-selector-dev-wallet').waitFor()
  })

  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    journey(
      `has a picture of the modal on a phone, ${colorScheme}`,
      { path: home, browser: { viewport: { width: 390, height: 844 }, colorScheme } },
      async ({ page }) => {
        const picture = page.getByTestId('phone-picture')
        await picture.scrollIntoViewIfNeeded()
        await picture.evaluate((image) => /** @type {HTMLImageElement} */ (image).decode())
        const { src, sizes } = await picture.evaluate((element) => {
          const image = /** @type {HTMLImageElement} */ (element)
          const declared = [image.getAttribute('width'), image.getAttribute('height')].map(Number)
          return { src: image.src, sizes: [declared, [image.naturalWidth, image.naturalHeight]] }
        })
        assert.match(src, new RegExp(`phone-${colorScheme}`))
        assert.deepEqual(sizes[0], sizes[1])
      },
    )
  }

  journey(
    'follows the theme of the system',
    { path: home, browser: { colorScheme: 'light' } },
    async ({ page }) => {
      await page.locator('html[data-theme=light]').waitFor()
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.locator('html[data-theme=dark]').waitFor()
    },
  )

  journey(
    'stays within the width of a small phone',
    { path: home, browser: { viewport: { width: 320, height: 640 } } },
    async ({ page }) => {
      await page.getByRole('heading', { level: 1 }).waitFor()
      assert.equal(await page.getByTestId('live-modal').count(), 0)
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320)
      const links = page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link')
      assert.deepEqual(await links.allTextContents(), ['Docs', 'API', 'Lab'])
      for (const link of await links.all()) assert.ok(await link.isVisible())
    },
  )

  journey(
    'opens the account of another wallet that is connected',
    { path: home },
    async ({ modal, wallet }) => {
      await modal.connect(wallet)
      await modal.find('try-test-account').getByText('Open your account', { exact: true }).click()
      await modal.shows('Account')
      await modal.find('account-settings-address').getByText(wallet.address.slice(0, 6)).waitFor()
    },
  )

  journey(
    'does not move when a wallet is connected on a phone',
    { path: home, browser: { viewport: { width: 375, height: 667 } } },
    async ({ page, modal, wallet }) => {
      const height = () => page.locator('.bar').evaluate((bar) => bar.clientHeight)
      await modal.connectButton.waitFor()
      const before = await height()
      await modal.connect(wallet)
      assert.equal(await height(), before)
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 375)
    },
  )

  journey('axe finds nothing', { path: home }, async ({ page }) => {
    await assertAccessible(page)
  })
})

describe('the documentation beside the page', () => {
  journey('shows the modal itself', { path: '/docs/demo.html' }, async ({ page }) => {
    const frame = page.frameLocator('iframe[title="The modal, live"]')
    await frame.getByTestId('wallet-selector-dev-wallet').waitFor()
  })
})
