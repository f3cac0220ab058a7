import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { formatEther } from 'viem'
import { devnet, freshAddress } from '../kit/chain.mjs'
import { eventually } from '../kit/eventually.mjs'
import { journey, mainJourney } from '../kit/journey.mjs'
import { openPairing, phoneOf } from '../kit/phones.mjs'

const noExtension = { query: '?devWallet=0&pairing=1', wallets: () => [] }

/** @param {import('../kit/modal.mjs').Modal} modal */
async function connectPhone(modal, phone = phoneOf()) {
  phone.scan(await openPairing(modal))
  await modal.accountButton.waitFor()
  await modal.isClosed()
  return phone
}

describe('a wallet on a phone', () => {
  journey('is connected by scanning a code', noExtension, async ({ modal }) => {
    const phone = await connectPhone(modal, phoneOf({ account: 5 }))
    await modal.nativeBalanceIs(formatEther(await devnet.balance(phone.wallet.address)))
    await modal.openAccount()
    const address = await modal.find('account-settings-address').getAttribute('title')
    assert.equal(address, phone.wallet.address)
  })

  journey('can decline, and then approve another code', noExtension, async ({ modal }) => {
    const phone = phoneOf()
    phone.wallet.approvals.rejectNext()
    phone.scan(await openPairing(modal))
    await modal.card.getByText('You declined.', { exact: true }).waitFor()
    await modal.press('w3m-connecting-widget-secondary-button')
    await modal.find('wui-qr-code').waitFor()
    phone.scan((await modal.find('copy-wc2-uri').getAttribute('title')) ?? '')
    await modal.accountButton.waitFor()
  })

  journey('is still connected after the page is loaded again', noExtension, async ({ modal, page }) => {
    const phone = await connectPhone(modal)
    await page.reload()
    await modal.accountButton.waitFor()
    await modal.openAccount()
    assert.equal(await modal.find('account-settings-address').getAttribute('title'), phone.wallet.address)
  })

  mainJourney('signs what the page sends', noExtension, async ({ modal }) => {
    const phone = await connectPhone(modal, phoneOf({ account: 2 }))
    const to = freshAddress()
    await modal.prepareSend({ symbol: 'ETH', amount: '1.000000000000000001', to })
    await modal.press('send-confirm-button')
    await modal.isSent()
    await eventually(async () => assert.equal(await devnet.balance(to), 1_000_000_000_000_000_001n))
    await modal.nativeBalanceIs(formatEther(await devnet.balance(phone.wallet.address)))
  })

  journey('can decline what the page sends', noExtension, async ({ modal }) => {
    const phone = await connectPhone(modal, phoneOf({ account: 2 }))
    await modal.prepareSend({ symbol: 'ETH', amount: '1', to: freshAddress() })
    phone.wallet.approvals.rejectNext()
    await modal.press('send-confirm-button')
    await modal.says('You declined. Nothing was sent.')
  })

  journey('follows the page to another network', noExtension, async ({ modal }) => {
    const phone = await connectPhone(modal)
    await modal.networkButton.click()
    await modal.press('w3m-network-switch-Devnet Two')
    await modal.isClosed()
    const to = freshAddress()
    await modal.prepareSend({ symbol: 'ETH', amount: '1', to })
    await modal.press('send-confirm-button')
    await modal.isSent()
    assert.equal(phone.wallet.chainId, 31338)
  })

  journey('is disconnected by the page', noExtension, async ({ modal }) => {
    const phone = await connectPhone(modal)
    await modal.openAccount()
    await modal.press('account-settings-button')
    await modal.press('disconnect-button')
    await modal.connectButton.waitFor()
    await eventually(() => assert.equal(phone.ended.length, 1))
    assert.equal(phone.session, undefined)
  })

  journey('disconnects the page, in all of its tabs', noExtension, async ({ modal, openTab }) => {
    const phone = await connectPhone(modal)
    const other = await openTab()
    await other.modal.accountButton.waitFor()
    await phone.disconnect()
    await modal.connectButton.waitFor()
    await other.modal.connectButton.waitFor()
  })

  journey('changes the account of the page', noExtension, async ({ modal }) => {
    const phone = await connectPhone(modal)
    await phone.switchAccount(1)
    await modal.openAccount()
    const shown = modal.find('account-settings-address')
    await eventually(async () => assert.equal(await shown.getAttribute('title'), phone.wallet.address))
  })
})

describe('signing in with a wallet on a phone', () => {
  const required = { ...noExtension, query: `${noExtension.query}&signIn=required` }
  /** @param {import('../kit/wallet/phoneWallet.mjs').PhoneWallet} phone */
  const signatures = (phone) =>
    phone.wallet.requests.filter(({ method }) => method === 'personal_sign').length

  journey('takes one prompt with a wallet that signs with the pairing', required, async ({ modal, page }) => {
    const phone = await connectPhone(modal, phoneOf({ signsIn: true }))
    await page.reload()
    await modal.accountButton.waitFor()
    await modal.openAccount()
    assert.equal(signatures(phone), 1)
  })

  journey('follows the pairing of another wallet', required, async ({ modal }) => {
    const phone = phoneOf()
    phone.scan(await openPairing(modal))
    await modal.shows('ConnectingSiwe')
    await modal.press('w3m-connecting-siwe-sign')
    await modal.isClosed()
    assert.equal(signatures(phone), 1)
    assert.ok(phone.session)
  })

  journey('ends the session of a visitor who does not', required, async ({ modal }) => {
    const phone = phoneOf()
    phone.scan(await openPairing(modal))
    await modal.shows('ConnectingSiwe')
    phone.wallet.approvals.rejectNext()
    await modal.press('w3m-connecting-siwe-sign')
    await modal.says('Signature declined')
    await modal.press('w3m-connecting-siwe-cancel')
    await modal.connectButton.waitFor()
    await eventually(() => assert.equal(phone.session, undefined))
  })
})
