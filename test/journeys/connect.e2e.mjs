import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { formatEther } from 'viem'
import { devnet } from '../kit/chain.mjs'
import { eventually } from '../kit/eventually.mjs'
import { focusedTestId, tabTo } from '../kit/focus.mjs'
import { journey, mainJourney, moving } from '../kit/journey.mjs'
import { walletOf } from '../kit/wallets.mjs'

const prompts = ['eth_requestAccounts', 'wallet_requestPermissions']

describe('connecting a wallet', () => {
  mainJourney('shows the account with its exact balance', { account: 5 }, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await modal.nativeBalanceIs(formatEther(await devnet.balance(wallet.address)))
    await modal.openAccount()
    const address = await modal.find('account-settings-address').getAttribute('title')
    assert.equal(address, wallet.address)
  })

  journey(
    'lists every announced wallet and connects the selected one',
    { wallets: twoWallets },
    async ({ modal, wallet }) => {
      await modal.connectButton.click()
      await modal.find('wallet-selector-dev.hawser.testwallet').waitFor()
      await modal.press('wallet-selector-dev.hawser.second')
      await modal.accountButton.waitFor()
      assert.deepEqual(wallet.requests.filter(isPrompt), [], 'the other wallet was left alone')
    },
  )

  journey('can be tried again after the wallet declined', moving, async ({ modal, wallet }) => {
    wallet.approvals.rejectNext()
    await modal.connectButton.click()
    await modal.press(`wallet-selector-${wallet.info.rdns}`)
    await modal.card.getByText('You declined.', { exact: true }).waitFor()
    await modal.press('w3m-connecting-widget-secondary-button')
    await modal.accountButton.waitFor()
    await modal.isClosed()
  })

  journey('goes back to the list while the wallet has not answered', moving, async ({ modal, wallet }) => {
    const prompt = wallet.approvals.holdNext()
    await modal.connectButton.click()
    await modal.press(`wallet-selector-${wallet.info.rdns}`)
    await modal.card.getByText(`Continue in ${wallet.info.name}`, { exact: true }).waitFor()
    await prompt.opened
    await modal.press('header-back')
    await modal.shows('Connect')
    prompt.reject()
    await modal.connectButton.waitFor()
  })

  mainJourney('works with the keyboard alone', moving, async ({ page, modal, wallet }) => {
    await tabTo(page, 'connect-button')
    await page.keyboard.press('Enter')
    await modal.shows('Connect')
    await tabTo(page, `wallet-selector-${wallet.info.rdns}`)
    await page.keyboard.press('Enter')
    await modal.accountButton.waitFor()
    await modal.isClosed()
    await focusIsOn(page, 'account-button')
  })

  journey('says where to look while the wallet does not answer', moving, async ({ modal, wallet }) => {
    const prompt = wallet.approvals.holdNext()
    await modal.connectButton.click()
    await modal.press(`wallet-selector-${wallet.info.rdns}`)
    await prompt.opened
    await modal.find('waiting-help').waitFor()
    prompt.reject()
    await modal.connectButton.waitFor()
  })

  journey('marks the wallet used last as recent', moving, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openAccount()
    await modal.press('account-settings-button')
    await modal.press('disconnect-button')
    await modal.connectButton.click()
    await modal.find(`wallet-selector-${wallet.info.rdns}`).getByText('Recent').waitFor()
  })
})

describe('without a wallet', () => {
  const none = () => []
  const iPhone = {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  }

  journey('a computer is offered wallets to install', { wallets: none }, async ({ page, modal }) => {
    await modal.connectButton.click()
    await modal.shows('Connect')
    await tabTo(page, 'wallet-link-io.metamask')
    const metaMask = modal.find('wallet-link-io.metamask')
    assert.match((await metaMask.getAttribute('href')) ?? '', /^https:\/\/chromewebstore\.google\.com\//)
    await tabTo(page, 'connect-on-phone')
    await page.keyboard.press('Enter')
    await modal.shows('ConnectOnPhone')
    await modal.find('copy-page-address').click()
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), page.url())
  })

  journey(
    'a phone opens the page in a wallet',
    { wallets: none, browser: iPhone },
    async ({ page, modal }) => {
      await modal.connectButton.click()
      await modal.shows('Connect')
      const { host, pathname, href } = new URL(page.url())
      assert.equal(
        await modal.find('wallet-link-io.metamask').getAttribute('href'),
        `https://link.metamask.io/dapp/${host}${pathname}?hawser-connect=1`,
      )
      assert.equal(
        await modal.find('wallet-link-com.coinbase.wallet').getAttribute('href'),
        `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(`${href}?hawser-connect=1`)}`,
      )
    },
  )
})

describe('a session', () => {
  mainJourney('survives a reload without a prompt', moving, async ({ page, modal, wallet }) => {
    await modal.connect(wallet)
    const asked = wallet.requests.filter(isPrompt).length
    await page.reload()
    await modal.accountButton.waitFor()
    assert.equal(wallet.requests.filter(isPrompt).length, asked)
  })

  journey('is seen by a second tab', moving, async ({ modal, wallet, openTab }) => {
    await modal.connect(wallet)
    const second = await openTab()
    await second.modal.accountButton.waitFor()
  })

  journey('follows the wallet to another account', moving, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    wallet.switchAccount(1)
    await eventually(async () => {
      const title = await modal.accountButton
        .locator('.hw-account-button-name [title]')
        .first()
        .getAttribute('title')
      assert.equal(title, wallet.address)
    })
  })

  journey('ends when the wallet is locked', moving, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    wallet.lock()
    await modal.connectButton.waitFor()
  })
})

function twoWallets() {
  return [walletOf(), walletOf({ account: 1, name: 'Second Wallet', rdns: 'dev.hawser.second' })]
}

/** @param {{ method: string }} request */
function isPrompt({ method }) {
  return prompts.includes(method)
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} testId
 */
function focusIsOn(page, testId) {
  return eventually(async () => {
    const focused = await focusedTestId(page)
    assert.equal(focused, testId)
  })
}
