import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { hashMessage, recoverAddress } from 'viem'
import { assertWalletAccessible } from '../kit/accessibility.mjs'
import { browser } from '../kit/browser.mjs'
import { devnet, freshAddress } from '../kit/chain.mjs'
import { eventually } from '../kit/eventually.mjs'
import { HandoffSite } from '../kit/handoffSite.mjs'
import { journey, mainJourney } from '../kit/journey.mjs'
import { site } from '../kit/site.mjs'
import { WalletPage } from '../kit/walletPage.mjs'
import { walletOf } from '../kit/wallets.mjs'

/** A phone whose wallet has a browser. It starts on the gateway, on a page without a hand-off. */
const phone = {
  site: () => `${site.gatewayUrl}/health`,
  browser: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
}

const message = '0x48656c6c6f'

describe('the wallet page', () => {
  mainJourney('connects a site, which signs and sends through it', phone, async ({ page, wallet }) => {
    const desk = new HandoffSite()
    const walletPage = new WalletPage(page)
    const { pending, link } = await desk.start()
    await walletPage.open(link)
    await walletPage.shows('Compare the numbers')
    await walletPage.says(desk.origin)
    assert.equal(await walletPage.digits(), await pending.digits)
    await assertWalletAccessible(page)
    await walletPage.press('Yes, it’s the same')
    await walletPage.shows('Confirm on the other screen')
    pending.confirm()
    const session = await pending.approval
    await walletPage.shows('Connected')
    assert.deepEqual(
      session.namespaces.eip155?.accounts.map((account) => account.toLowerCase()),
      [`eip155:31337:${wallet.address.toLowerCase()}`],
    )
    await walletPage.says('Devnet')
    await assertWalletAccessible(page)

    const signed = desk.request(session, 'personal_sign', [message, wallet.address])
    await walletPage.shows('Sign a message')
    await walletPage.says('Hello')
    await assertWalletAccessible(page)
    await walletPage.press('Continue in your wallet')
    const signature = /** @type {`0x${string}`} */ (await signed)
    assert.equal(await recoverAddress({ hash: hashMessage('Hello'), signature }), wallet.address)
    await walletPage.says('Done. You can go on at the site.')

    const to = freshAddress()
    const sent = desk.request(session, 'eth_sendTransaction', [
      { from: wallet.address, to, value: '0xde0b6b3a7640001' },
    ])
    await walletPage.shows('Send a transaction')
    await walletPage.says('1.000000000000000001 ETH')
    await assertWalletAccessible(page)
    await walletPage.press('Continue in your wallet')
    assert.match(String(await sent), /^0x[0-9a-f]{64}$/)
    await eventually(async () => assert.equal(await devnet.balance(to), 1_000_000_000_000_000_001n))
  })

  journey('declines here and in the wallet', phone, async ({ page, wallet }) => {
    const desk = new HandoffSite()
    const walletPage = new WalletPage(page)
    const { session } = await walletPage.connect(desk)
    const here = desk.request(session, 'personal_sign', [message, wallet.address])
    await walletPage.shows('Sign a message')
    await walletPage.press('Reject')
    await assert.rejects(here, { code: 4001 })
    await walletPage.says('Declined. Nothing was signed.')
    wallet.approvals.rejectNext()
    const inWallet = desk.request(session, 'eth_sendTransaction', [
      { from: wallet.address, to: freshAddress() },
    ])
    await walletPage.press('Continue in your wallet')
    await assert.rejects(inWallet)
  })

  journey('follows the account and the network both ways', phone, async ({ page, wallet }) => {
    const desk = new HandoffSite()
    const { session } = await new WalletPage(page).connect(desk)
    assert.equal(await desk.request(session, 'wallet_switchEthereumChain', [{ chainId: '0x7a6a' }]), null)
    assert.equal(wallet.chainId, 31338)
    assert.deepEqual(desk.now(session)?.namespaces.eip155?.chains, ['eip155:31337', 'eip155:31338'])
    wallet.switchChain(31337)
    await eventually(() => assert.deepEqual(desk.events.at(-1), { name: 'chainChanged', data: 31337 }))
    wallet.switchAccount(1)
    const other = wallet.address.toLowerCase()
    await eventually(() => {
      const accounts = desk.now(session)?.namespaces.eip155?.accounts ?? []
      assert.ok(accounts.length > 0 && accounts.every((account) => account.toLowerCase().endsWith(other)))
    })
  })

  mainJourney(
    'resumes when its link is opened again, and a request that waited is there',
    phone,
    async (scene) => {
      const { page, wallet } = scene
      const desk = new HandoffSite()
      const { session, link } = await new WalletPage(page).connect(desk)
      await page.close()
      const signed = desk.request(session, 'personal_sign', [message, wallet.address])
      const again = await scene.context.newPage()
      const walletPage = new WalletPage(again)
      await walletPage.open(link)
      await walletPage.shows('Sign a message')
      await again.reload()
      await walletPage.shows('Sign a message')
      await walletPage.press('Continue in your wallet')
      assert.match(String(await signed), /^0x/)
      assert.equal(wallet.requests.filter(({ method }) => method === 'personal_sign').length, 1)
      await walletPage.press('Disconnect')
      await walletPage.shows('Disconnected')
      await eventually(() => assert.equal(desk.now(session), undefined))
      await again.reload()
      await walletPage.shows('Disconnected')
    },
  )

  journey('is disconnected by the site', phone, async ({ page }) => {
    const desk = new HandoffSite()
    const walletPage = new WalletPage(page)
    const { session } = await walletPage.connect(desk)
    await desk.client.disconnect(session.topic)
    await walletPage.shows('Disconnected')
  })

  journey('has a session with each of several sites', phone, async ({ page, wallet }) => {
    const [first, second] = [new HandoffSite(), new HandoffSite()]
    const walletPage = new WalletPage(page)
    const { session } = await walletPage.connect(first)
    await walletPage.connect(second)
    await page.getByRole('heading', { name: 'Other sites' }).waitFor()
    const signed = first.request(session, 'personal_sign', [message, wallet.address])
    await walletPage.press('Continue in your wallet')
    assert.match(String(await signed), /^0x/)
  })

  journey(
    'tells a second phone that the link was opened elsewhere, and connects nobody when the numbers differ',
    { ...phone, expectedErrors: /409/ },
    async ({ page, context }) => {
      const desk = new HandoffSite()
      const { pending, link } = await desk.start()
      const walletPage = new WalletPage(page)
      await walletPage.open(link)
      await walletPage.shows('Compare the numbers')
      const second = await (await browser()).newContext(phone.browser)
      const late = new WalletPage(await second.newPage())
      await late.page.addInitScript(() => {
        Object.assign(window, { ethereum: { request: async () => [] } })
      })
      await late.open(link)
      await late.shows('Opened elsewhere first')
      await second.close()
      await walletPage.press('No, they differ')
      await walletPage.shows('Not connected')
      await assert.rejects(pending.approval, { code: 5000 })
      await context.close()
    },
  )

  journey(
    'says that a link has expired, in the language of the phone',
    { ...phone, browser: { ...phone.browser, locale: 'ar' }, expectedErrors: /404/ },
    async ({ page }) => {
      await page.goto(`${site.gatewayUrl}/open/AAAAAAAAAAAAAAAAAAAAAA`)
      await new WalletPage(page).shows('انتهت صلاحية هذا الرابط')
      assert.equal(await page.evaluate(() => document.documentElement.dir), 'rtl')
      await assertWalletAccessible(page)
    },
  )

  journey(
    'shows the link where there is no wallet, and claims nothing',
    { ...phone, wallets: () => [] },
    async ({ page }) => {
      const desk = new HandoffSite()
      const { pending, link } = await desk.start()
      const walletPage = new WalletPage(page)
      await walletPage.open(link)
      await walletPage.shows('No wallet here')
      await assertWalletAccessible(page)
      await walletPage.press('Copy link')
      await walletPage.says('Link copied')
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link)
      await page.evaluate(() => {
        Object.assign(window, { ethereum: { request: async () => '0x7a69' } })
        window.dispatchEvent(new Event('ethereum#initialized'))
      })
      await walletPage.shows('Compare the numbers')
      assert.equal(await walletPage.digits(), await pending.digits)
    },
  )

  journey(
    'asks which of two wallets to use',
    {
      ...phone,
      wallets: () => [
        walletOf({ name: 'First', rdns: 'test.first' }),
        walletOf({ name: 'Second', rdns: 'test.second', account: 1 }),
      ],
    },
    async ({ page }) => {
      const desk = new HandoffSite()
      const { pending, link } = await desk.start()
      const walletPage = new WalletPage(page)
      await walletPage.open(link)
      await walletPage.shows('Which wallet do you want to use?')
      await assertWalletAccessible(page)
      await walletPage.press('Second')
      await walletPage.shows('Compare the numbers')
      await walletPage.press('Yes, it’s the same')
      pending.confirm()
      const { namespaces } = await pending.approval
      assert.match(
        namespaces.eip155?.accounts[0]?.toLowerCase() ?? '',
        new RegExp(`${site.devnet.accounts[1]?.address.toLowerCase()}$`),
      )
    },
  )

  journey(
    'fits 320 px with large type',
    { ...phone, browser: { viewport: { width: 320, height: 640 } } },
    async ({ page }) => {
      const desk = new HandoffSite()
      const { link } = await desk.start()
      const walletPage = new WalletPage(page)
      await walletPage.open(link)
      await walletPage.shows('Compare the numbers')
      await walletPage.digits()
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%'
      })
      const isCut = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
      assert.equal(isCut, false)
    },
  )
})
