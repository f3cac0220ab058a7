import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { assertAccessible } from '../kit/accessibility.mjs'
import { devnet, freshAddress } from '../kit/chain.mjs'
import { eventually } from '../kit/eventually.mjs'
import { connectByHandoff, HandoffPhone, offerHandoff } from '../kit/handoffPhone.mjs'
import { journey, mainJourney } from '../kit/journey.mjs'

/** A visitor at a desk, whose wallet is on the phone. */
const desk = { query: '?devWallet=0&pairing=1', wallets: () => [] }

describe('a visitor at a desk', () => {
  mainJourney('continues in the wallet on the phone, and sends from there', desk, async ({ page, modal }) => {
    const phone = await HandoffPhone.start(3)
    const link = await offerHandoff(modal)
    assert.match(link, /\/open\/[\w-]{22}$/)
    await assertAccessible(page)
    const walletPage = await phone.open(link)
    await walletPage.shows('Compare the numbers')
    await modal.find('handoff-compare').waitFor()
    const shown = (await modal.find('handoff-digits').textContent()) ?? ''
    assert.equal(shown.replace(/\s/g, ''), await walletPage.digits())
    await assertAccessible(page)
    await walletPage.press('Yes, it’s the same')
    await modal.press('handoff-confirm')
    await modal.accountButton.waitFor()
    await modal.isClosed()

    const to = freshAddress()
    await modal.prepareSend({ symbol: 'ETH', amount: '1.000000000000000001', to })
    await modal.press('send-confirm-button')
    await walletPage.shows('Send a transaction')
    await walletPage.says('1.000000000000000001 ETH')
    await walletPage.press('Continue in your wallet')
    await modal.isSent()
    await eventually(async () => assert.equal(await devnet.balance(to), 1_000_000_000_000_000_001n))
    assert.equal(phone.wallet.requests.filter(({ method }) => method === 'eth_sendTransaction').length, 1)

    await page.reload()
    await modal.openAccount()
    await modal.press('account-settings-button')
    await modal.press('disconnect-button')
    await walletPage.shows('Disconnected')
    await phone.close()
  })

  journey('opens the wallet again when it does not answer, and goes on', desk, async ({ page, modal }) => {
    const phone = await HandoffPhone.start(4)
    const { link } = await connectByHandoff(modal, phone)
    await modal.isClosed()
    await phone.sleep()
    const to = freshAddress()
    await modal.prepareSend({ symbol: 'ETH', amount: '0.5', to })
    await modal.press('send-confirm-button')
    await modal.find('silent-wallet').getByText('Open MetaMask again').waitFor()
    await assertAccessible(page)
    const again = await modal.find('silent-wallet').getByTestId('copy-wc2-uri').getAttribute('title')
    assert.equal(again, `https://link.metamask.io/dapp/${link.replace(/^https?:\/\//, '')}`)
    const walletPage = await phone.open(link)
    await walletPage.shows('Send a transaction')
    await walletPage.press('Continue in your wallet')
    await modal.isSent()
    await eventually(async () => assert.equal(await devnet.balance(to), 500_000_000_000_000_000n))
    assert.equal(phone.wallet.requests.filter(({ method }) => method === 'eth_sendTransaction').length, 1)
    await phone.close()
  })

  journey(
    'signs in, and swaps',
    { ...desk, query: `${desk.query}&signIn=required` },
    async ({ page, modal }) => {
      const phone = await HandoffPhone.start(5)
      const { walletPage } = await connectByHandoff(modal, phone)
      await modal.shows('ConnectingSiwe')
      await modal.press('w3m-connecting-siwe-sign')
      await walletPage.shows('Sign a message')
      await walletPage.press('Continue in your wallet')
      await modal.isClosed()
      await page.reload()
      await modal.accountButton.waitFor()

      await modal.openSwap({ sell: 'ETH', buy: 'tUSD', amount: '0.5' })
      await modal.press('swap-action-button')
      await modal.shows('SwapPreview')
      await modal.press('swap-confirm-button')
      await walletPage.shows('Send a transaction')
      await walletPage.press('Continue in your wallet')
      await modal.isSwapped(/^Swapped 0\.5 ETH for [\d,.]+ tUSD$/)
      await phone.close()
    },
  )

  journey('is not connected to a wallet that another person opened', desk, async ({ modal }) => {
    const [thief, phone] = [await HandoffPhone.start(1), await HandoffPhone.start(2)]
    const link = await offerHandoff(modal)
    const first = await thief.open(link)
    await first.shows('Compare the numbers')
    await first.press('Yes, it’s the same')
    const late = await phone.open(link)
    await late.shows('Opened elsewhere first')
    await modal.card.getByText('Another device opened this code too', { exact: false }).waitFor()
    await modal.press('handoff-differ')
    await first.shows('Not connected')
    await modal.card.getByText('The numbers differ', { exact: false }).waitFor()
    await modal.press('w3m-connecting-widget-secondary-button')
    await modal.card.getByText('Scan with your phone’s camera').waitFor()
    const next = (await modal.find('copy-wc2-uri').getAttribute('title')) ?? ''
    assert.notEqual(next, link)
    const walletPage = await phone.open(next)
    await walletPage.shows('Compare the numbers')
    await walletPage.press('Yes, it’s the same')
    await modal.press('handoff-confirm')
    await modal.accountButton.waitFor()
    await thief.close()
    await phone.close()
  })

  journey('follows the wallet to another network and account', desk, async ({ modal }) => {
    const phone = await HandoffPhone.start(6)
    await connectByHandoff(modal, phone)
    await modal.isClosed()
    await modal.networkButton.click()
    await modal.press('w3m-network-switch-Devnet Two')
    await modal.isClosed()
    assert.equal(phone.wallet.chainId, 31338)
    phone.wallet.switchAccount(1)
    await modal.openAccount()
    await eventually(async () => {
      const shown = await modal.find('account-settings-address').getAttribute('title')
      assert.equal(shown?.toLowerCase(), phone.wallet.address.toLowerCase())
    })
    await phone.close()
  })
})
