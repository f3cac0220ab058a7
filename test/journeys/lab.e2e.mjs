import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { verifyMessage } from 'viem'
import { devnet, freshAddress } from '../kit/chain.mjs'
import { eventually } from '../kit/eventually.mjs'
import { journey } from '../kit/journey.mjs'

describe('the lab', () => {
  journey('is styled before the modal is fetched', {}, async ({ context, page, modal }) => {
    await context.route(/\/assets\/shell-/, () => {}) // it never arrives
    await page.reload()
    const buttons = [modal.connectButton, page.getByRole('button', { name: 'Open modal' })]
    const backgrounds = await Promise.all(
      buttons.map((button) => button.evaluate((element) => getComputedStyle(element).backgroundColor)),
    )
    for (const background of backgrounds) assert.notEqual(background, 'rgba(0, 0, 0, 0)')
    assert.equal(await page.evaluate(() => document.adoptedStyleSheets.length), 0)
  })

  journey('lets a visitor without a wallet send for real', {}, async ({ modal }) => {
    const to = freshAddress()
    await modal.connectButton.click()
    await modal.card.getByRole('button', { name: 'Dev wallet' }).click()
    await modal.accountButton.waitFor()
    await modal.isClosed()
    await modal.prepareSend({ symbol: 'ETH', amount: '0.000000000000000007', to })
    await modal.press('send-confirm-button')
    await modal.isSent()
    await eventually(async () => assert.equal(await devnet.balance(to), 7n))
  })

  for (const { what, query, says } of [
    { what: 'in steps', query: '', says: 'Approve and swap' },
    { what: 'in one go with a smart account', query: '?smart=1', says: 'Approve and swap' },
  ]) {
    journey(`lets a visitor without a wallet swap for real, ${what}`, { query }, async ({ modal }) => {
      await modal.connectButton.click()
      await modal.card.getByRole('button', { name: 'Dev wallet' }).click()
      await modal.accountButton.waitFor()
      await modal.isClosed()
      await modal.prepareSwap({ sell: 'tDAI', buy: 'tUSD', amount: '10.000000000000000001' })
      await modal.find('swap-confirm-button').getByText(says, { exact: true }).waitFor()
      assert.equal(await modal.find('swap-step-approve').count(), query ? 0 : 1)
      await modal.press('swap-confirm-button')
      await modal.isSwapped(/^Swapped [\d,.]+ tDAI for (9|10)\.\d+ tUSD$/)
    })
  }

  journey('signs a message with the connected wallet', {}, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await modal.find('sign-message-input').fill('ahoy')
    await modal.press('sign-message-button')
    const signature = /** @type {`0x${string}`} */ (await modal.find('w3m-signature').textContent())
    assert.ok(await verifyMessage({ address: wallet.address, message: 'ahoy', signature }))

    await modal.openAccount()
    await modal.press('account-settings-button')
    await modal.press('disconnect-button')
    await modal.find('w3m-signature').waitFor({ state: 'detached' })
    assert.equal(await modal.find('sign-message-input').inputValue(), 'ahoy')
  })

  journey('keeps the chosen language over a reload', {}, async ({ page, modal }) => {
    await modal.find('language-select').selectOption('de')
    await modal.connectButton.getByText('Wallet verbinden').waitFor()
    await page.reload()
    await modal.connectButton.getByText('Wallet verbinden').waitFor()
    assert.equal(await modal.find('language-select').inputValue(), 'de')
  })

  journey('says that a signature was declined', {}, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    wallet.approvals.rejectNext()
    await modal.press('sign-message-button')
    await modal.find('sign-message-error').waitFor()
  })
})

describe('the browser of a visitor', () => {
  /** @type {import('playwright-core').BrowserContext | undefined} */
  let left
  for (const visitor of ['one', 'the next']) {
    journey(`is empty for ${visitor}`, {}, async ({ context, page }) => {
      assert.ok(!left || left === context, 'it is the same browser')
      left = context
      assert.deepEqual(await page.evaluate(readStorage), {
        local: [],
        session: [],
        databases: [],
        cookie: '',
      })
      assert.equal(await page.evaluate(() => history.length), 2, 'the empty tab and this page')
      await page.evaluate(async () => {
        localStorage.setItem('left', 'behind')
        sessionStorage.setItem('left', 'behind')
        // biome-ignore lint/suspicious/noDocumentCookie: what a page may do
        document.cookie = 'left=behind'
        await new Promise((resolve, reject) => {
          const opening = indexedDB.open('left')
          opening.onsuccess = resolve
          opening.onerror = reject
        })
      })
    })
  }
})

describe('the options of a site', () => {
  journey(
    'hold wallets back until the terms are accepted',
    { query: '?legal=1' },
    async ({ modal, wallet }) => {
      await modal.connectButton.click()
      const row = modal.find(`wallet-selector-${wallet.info.rdns}`)
      await row.waitFor()
      assert.ok(await row.isDisabled())
      await modal.press('w3m-legal-checkbox')
      await row.click()
      await modal.accountButton.waitFor()
    },
  )

  journey('put the wallets behind one button', { query: '?collapse=1' }, async ({ modal, wallet }) => {
    await modal.connectButton.click()
    await modal.press('w3m-collapse-wallets-button')
    await modal.press(`wallet-selector-${wallet.info.rdns}`)
    await modal.accountButton.waitFor()
  })

  journey('leave sending and receiving out', { query: '?send=0&receive=0' }, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openAccount()
    assert.equal(await modal.find('wallet-features-send-button').count(), 0)
    assert.equal(await modal.find('wallet-features-receive-button').count(), 0)
  })
})

/** Returns what a page has stored that did not come from the lab. Runs inside the page. */
async function readStorage() {
  const databases = await indexedDB.databases()
  return {
    local: Object.keys(localStorage).filter((key) => key === 'left'),
    session: Object.keys(sessionStorage).filter((key) => key === 'left'),
    databases: databases.map(({ name }) => name).filter((name) => name === 'left'),
    cookie: document.cookie,
  }
}
