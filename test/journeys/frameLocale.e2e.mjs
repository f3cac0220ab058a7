import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { verifyMessage } from 'viem'
import { assertThemeAccessible } from '../kit/accessibility.mjs'
import {
  addressOf,
  frameOf,
  newEmail,
  newProfile,
  openSite,
  projectId,
  shop,
  signIn,
  startSigning,
  visitSite,
} from '../kit/frame.mjs'
import { languageTags, readFrameTexts } from '../kit/languages.mjs'
import { press } from '../kit/press.mjs'
import { site } from '../kit/site.mjs'

const patience = { timeout: 90_000 }

/** The frame's files, as they were built into the suite. */
const assets = new URL('../../apps/frame/dist/assets/', import.meta.url)

/** What the sheet for a message is titled. */
const titleOf = (/** @type {string} */ tag) => readFrameTexts(tag).approval.title.message

/** @param {readonly string[]} value */
const read = (value) => Object.defineProperty(navigator, 'languages', { value })

/**
 * Opens the shop, signed in.
 *
 * @param {readonly string[]} [languages] that the visitor reads; those of the browser if it is empty
 */
async function visitShop(languages = ['en-US', ...languageTags]) {
  const { context } = await newProfile()
  if (languages.length > 0) await context.addInitScript(read, languages)
  const page = await openSite(context, shop)
  await signIn(page, newEmail())
  return page
}

/**
 * Sets the language of the site's modal.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} locale
 */
function speak(page, locale) {
  return page.evaluate((locale) => window.wallet.syncTheme({ locale }), locale)
}

/**
 * Returns the name of the frame's script with a text.
 *
 * @param {string} text
 */
function fileWith(text) {
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'))
  const found = scripts.find((name) => readFileSync(new URL(name, assets), 'utf8').includes(text))
  if (!found) throw new Error(`no script of the frame has ${text}`)
  return found
}

/**
 * Requests a signature, and returns what it ends with.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} message
 */
function request(page, message) {
  return startSigning(page, message).catch((/** @type {Error} */ error) => error.message)
}

/**
 * Returns the language and the direction of the document in the frame.
 *
 * @param {import('playwright-core').Page} page
 */
function languageOf(page) {
  return frameOf(page)
    .locator('html')
    .evaluate((html) => [
      html.getAttribute('lang'),
      html.getAttribute('dir'),
      getComputedStyle(html).direction,
    ])
}

describe('a sheet of the frame', () => {
  test('is in each language of the site’s modal, and fits the frame', patience, async () => {
    const page = await visitShop()
    const frame = frameOf(page)
    for (const locale of languageTags) {
      await speak(page, locale)
      const ended = request(page, `hello in ${locale}`)
      await frame.getByRole('heading', { name: titleOf(locale) }).waitFor()
      const direction = locale === 'ar' ? 'rtl' : 'ltr'
      assert.deepEqual(await languageOf(page), [locale, direction, direction])
      const cut = await frame
        .locator('.sheet')
        .evaluate((sheet) =>
          [sheet, ...sheet.querySelectorAll('*')]
            .filter((place) => place.clientWidth > 0 && place.scrollWidth > place.clientWidth + 1)
            .map((place) => place.outerHTML),
        )
      assert.deepEqual(cut, [], locale)
      await page.evaluate(() => window.wallet.rejectRequests())
      await ended
    }
  })

  test('signs in Arabic what it signs in English', patience, async () => {
    const page = await visitShop()
    const frame = frameOf(page)
    const address = await addressOf(page)
    await speak(page, 'ar')
    const signing = startSigning(page, 'hello')
    await press(frame.getByRole('button', { name: 'موافقة' }))
    assert.ok(await verifyMessage({ address, message: 'hello', signature: await signing }))
  })

  test(
    'stays in the language that it was opened in, so that its buttons keep their places',
    patience,
    async () => {
      const page = await visitShop()
      const frame = frameOf(page)
      const first = request(page, 'first')
      const approve = frame.getByRole('button', { name: 'Approve' })
      // It no longer moves when it can be clicked.
      await approve.click({ trial: true })
      const place = await approve.boundingBox()
      await speak(page, 'ar')
      await page.evaluate(() => window.wallet.syncTheme({ locale: 'ar', themeMode: 'dark' }))
      await frame.locator('html[data-theme=dark]').waitFor()
      assert.deepEqual(await approve.boundingBox(), place)
      assert.deepEqual((await languageOf(page)).slice(0, 2), ['en', 'ltr'])
      await frame.getByRole('button', { name: 'Reject' }).click()
      await first

      const second = request(page, 'second')
      await frame.getByRole('heading', { name: titleOf('ar') }).waitFor()
      await frame.getByRole('button', { name: 'رفض' }).click()
      await second
    },
  )

  test('is in English for a language that there is not', patience, async () => {
    const page = await visitShop()
    for (const locale of ['xx', '__proto__', '../texts/de', '']) {
      await speak(page, locale)
      const ended = request(page, 'hello')
      await frameOf(page).getByRole('heading', { name: 'Sign a message' }).waitFor()
      await frameOf(page).getByRole('button', { name: 'Reject' }).click()
      await ended
    }
  })

  test('is in the visitor’s language while the site’s modal waits for its own', patience, async () => {
    // The page that approves the device would be in German too.
    const page = await visitShop([])
    await page.context().addInitScript(read, ['fi', 'de-AT'])
    await visitSite(page, shop)
    await speak(page, 'auto,en')
    const ended = request(page, 'hello')
    await frameOf(page)
      .getByRole('heading', { name: titleOf('de') })
      .waitFor()
    await frameOf(page).getByRole('button', { name: 'Ablehnen' }).click()
    await ended
  })

  test('is in no language that the visitor does not read', patience, async () => {
    const page = await visitShop(['en-US', 'de'])
    await speak(page, 'ar')
    const ended = request(page, 'hello')
    await frameOf(page).getByRole('heading', { name: 'Sign a message' }).waitFor()
    await frameOf(page).getByRole('button', { name: 'Reject' }).click()
    await ended
  })

  test('is in English where the texts do not load', patience, async () => {
    const page = await visitShop()
    await page.context().route(`**/assets/${fileWith(titleOf('de'))}`, (route) => route.abort())
    await speak(page, 'de')
    const ended = request(page, 'hello')
    await frameOf(page).getByRole('heading', { name: 'Sign a message' }).waitFor()
    assert.deepEqual((await languageOf(page)).slice(0, 2), ['en', 'ltr'])
    await frameOf(page).getByRole('button', { name: 'Reject' }).click()
    await ended
  })

  test('keeps what a message says apart from its own text', patience, async () => {
    const page = await visitShop()
    await speak(page, 'ar')
    const ended = request(page, 'Pay (1) to 0xabc!')
    const line = frameOf(page).locator('pre')
    await line.waitFor()
    assert.equal(await line.textContent(), 'Pay (1) to 0xabc!')
    const [plain, shown] = await line.evaluate((element) => {
      const range = document.createRange()
      const text = /** @type {Text} */ (element.firstChild)
      const left = (/** @type {number} */ at) => {
        range.setStart(text, at)
        range.setEnd(text, at + 1)
        return range.getBoundingClientRect().left
      }
      return [left(0), left(text.length - 1)]
    })
    assert.ok(Number(plain) < Number(shown), 'the message runs from left to right')
    await frameOf(page).getByRole('button', { name: 'رفض' }).click()
    await ended
  })

  test('says in that language what could be taken, and shows the whole address once', patience, async () => {
    const page = await visitShop()
    await speak(page, 'ar')
    const address = await addressOf(page)
    const spender = `0x${'8'.repeat(40)}`
    const types = ['owner', 'spender', 'value', 'nonce', 'deadline'].map((name) => ({
      name,
      type: name === 'owner' || name === 'spender' ? 'address' : 'uint256',
    }))
    const data = {
      domain: { name: 'Token', version: '1', chainId: 31337, verifyingContract: `0x${'7'.repeat(40)}` },
      types: { Permit: types },
      primaryType: 'Permit',
      message: { owner: address, spender, value: `${2n ** 256n - 1n}`, nonce: '0', deadline: '99999999999' },
    }
    const ended = page.evaluate(
      ({ address, data }) =>
        window.wallet
          .request({ method: 'eth_signTypedData_v4', params: [address, JSON.stringify(data)] })
          .catch(({ code }) => code),
      { address, data },
    )
    const alerts = frameOf(page).getByRole('alert')
    await alerts.first().waitFor()
    const texts = await alerts.allTextContents()
    assert.ok(
      texts.includes(`سيحق لـ \u20680x888888…888888\u2069 أخذ كل ما تملكه من هذا الرمز في أي وقت.`),
      texts.join('\n'),
    )
    for (const text of texts) assert.doesNotMatch(text, /could|lets|account/)
    await frameOf(page).getByLabel('أذونات الإنفاق').getByText(spender).waitFor()
    const isCut = await alerts.first().evaluate((alert) => alert.scrollWidth > alert.clientWidth + 1)
    assert.equal(isCut, false)
    await frameOf(page).getByRole('button', { name: 'رفض' }).click()
    assert.equal(await ended, 4001)
  })
})

describe('a page of the frame’s own', () => {
  /**
   * Opens a page for a visitor of a language.
   *
   * @param {string} path
   * @param {string} locale
   */
  async function openPage(path, locale) {
    const { context } = await newProfile({ locale })
    const page = await context.newPage()
    await page.goto(`${site.frameOrigin}${path}?projectId=${projectId}`)
    return page
  }

  test('is in the language of the visitor', patience, async () => {
    const account = await openPage('/account', 'de-AT')
    await account.getByRole('heading', { name: 'Ihre Wallet' }).waitFor()
    assert.equal(await account.title(), 'Ihre Wallet')
    await account.getByLabel('E-Mail').fill('not an email')
    await assertThemeAccessible(account)

    const recover = await openPage('/recover', 'ar-EG')
    await recover.getByRole('heading', { name: 'فتح حزمة استعادة' }).waitFor()
    assert.equal(await recover.evaluate(() => getComputedStyle(document.documentElement).direction), 'rtl')
    await assertThemeAccessible(recover)

    const english = await openPage('/account', 'fi')
    await english.getByRole('heading', { name: 'Your wallet' }).waitFor()
    assert.equal(await english.evaluate(() => document.documentElement.lang), 'en')
  })

  test('says what failed in that language', patience, async () => {
    const page = await openPage('/recover', 'ja')
    await page.getByLabel('リカバリーキット').setInputFiles({
      name: 'kit.json',
      mimeType: 'application/json',
      buffer: Buffer.from('{}'),
    })
    await page.getByLabel('パスワード').fill('a password that is long')
    await page.getByRole('button', { name: '24 個の単語を表示' }).click()
    await page.getByText('このファイルはリカバリーキットではありません').waitFor()
  })
})
