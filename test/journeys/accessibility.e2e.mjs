import { describe } from 'node:test'
import { assertAccessible } from '../kit/accessibility.mjs'
import { freshAddress, lookAlikeOf } from '../kit/chain.mjs'
import { journey, mainJourney } from '../kit/journey.mjs'
import { withholdReceipts } from '../kit/receipts.mjs'

describe('axe finds nothing', () => {
  mainJourney(`on the way to a connection`, {}, async ({ page, modal, wallet }) => {
    await assertAccessible(page)
    await modal.connectButton.click()
    await modal.shows('Connect')
    await assertAccessible(page)

    await modal.press('w3m-header-help')
    await modal.shows('WhatIsAWallet')
    await assertAccessible(page)
    await modal.press('header-back')

    const prompt = wallet.approvals.holdNext()
    await modal.press(`wallet-selector-${wallet.info.rdns}`)
    await modal.shows('ConnectingExternal')
    await prompt.opened
    await assertAccessible(page)
    prompt.reject()
    await modal.card.getByText('You declined.', { exact: true }).waitFor()
    await assertAccessible(page)
  })

  journey(
    `between the chains of a site`,
    { query: `?namespaces=eip155,solana` },
    async ({ page, modal, wallet }) => {
      await modal.connect(wallet)
      await modal.openAccount()
      await modal.press('wallet-features-receive-button')
      await modal.press('receive-compatible-networks-button')
      await modal.shows('WalletCompatibleNetworks')
      await assertAccessible(page)
      await modal.press('header-back')
      await modal.press('header-back')
      await modal.press('account-settings-button')
      await modal.find('account-namespace-solana').waitFor()
      await assertAccessible(page)
      await modal.press('account-switch-network-button')
      await modal.shows('Networks')
      await assertAccessible(page)
      await modal.press('w3m-network-switch-Solana Local')
      await modal.shows('SwitchActiveChain')
      await assertAccessible(page)
    },
  )

  journey(`behind one button`, { query: `?collapse=1` }, async ({ page, modal }) => {
    await modal.connectButton.click()
    await modal.press('w3m-collapse-wallets-button')
    await modal.shows('ConnectWallets')
    await assertAccessible(page)
  })

  journey(`without a wallet`, { wallets: () => [] }, async ({ page, modal }) => {
    await modal.connectButton.click()
    await modal.find('wallet-links').waitFor()
    await assertAccessible(page)
    await modal.press('connect-on-phone')
    await modal.shows('ConnectOnPhone')
    await assertAccessible(page)
    await modal.press('header-back')
    await modal.press('w3m-wallet-guide-get-started')
    await modal.press('get-wallet')
    await modal.shows('GetWallet')
    await assertAccessible(page)
  })

  journey(
    `with wallets to pair`,
    { query: `?pairing=1&devWallet=0`, wallets: () => [] },
    async ({ page, modal }) => {
      await modal.connectButton.click()
      await modal.find('all-wallets').waitFor()
      await assertAccessible(page)
      await modal.press('wallet-selector-walletConnect')
      await modal.find('wui-qr-code').waitFor()
      await assertAccessible(page)
      await modal.press('header-back')
      await modal.press('all-wallets')
      await page.locator('[data-testid^=wallet-search-item]').first().waitFor()
      await assertAccessible(page)
      await modal.find('wui-input-text').fill('ledger')
      await page.locator('[data-testid^=wallet-search-item][title=Ledger]').click()
      await modal.find('pairing-unreachable').waitFor()
      await assertAccessible(page)
    },
  )

  journey(`at the sign-in`, { query: `?signIn=required` }, async ({ page, modal, wallet }) => {
    await modal.connectButton.click()
    await modal.press(`wallet-selector-${wallet.info.rdns}`)
    await modal.shows('ConnectingSiwe')
    await assertAccessible(page)
  })

  mainJourney(`in the account`, {}, async ({ page, modal, wallet }) => {
    await modal.connect(wallet)
    await assertAccessible(page)
    await modal.openAccount()
    await modal.find('token-tUSD').waitFor()
    await assertAccessible(page)

    await modal.press('account-settings-button')
    await modal.shows('Profile')
    await assertAccessible(page)
    await modal.press('account-switch-network-button')
    await modal.shows('Networks')
    await assertAccessible(page)
    await modal.card.getByRole('button', { name: 'What is a network?' }).click()
    await modal.shows('WhatIsANetwork')
    await assertAccessible(page)
    await modal.press('header-back')
    await modal.shows('Networks')

    const prompt = wallet.approvals.holdNext()
    await modal.press('w3m-network-switch-Devnet Two')
    await modal.shows('SwitchNetwork')
    await prompt.opened
    await assertAccessible(page)
    prompt.reject()
    await modal.card.getByText('You declined.', { exact: true }).waitFor()
    await assertAccessible(page)
  })

  journey(`in the history`, {}, async ({ page, modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openTab('activity')
    const rows = modal.card.locator('[data-testid^="activity-0x"]')
    await rows.first().waitFor()
    await assertAccessible(page)
    await rows.first().getByRole('button').first().click()
    await assertAccessible(page)
  })

  journey(`among NFTs`, {}, async ({ page, modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openTab('nfts')
    await modal.press('show-hidden')
    await modal.find('nft-CLAIM-1').waitFor()
    await assertAccessible(page)

    await modal.press('nft-MOOR-1')
    await modal.shows('NftDetail')
    await assertAccessible(page)
    await modal.press('nft-send-button')
    await modal.find('send-address-input').fill(freshAddress())
    await modal.readyToReview()
    await assertAccessible(page)
    await modal.press('send-review-button')
    await modal.shows('WalletSendPreview')
    await assertAccessible(page)
  })

  mainJourney(`while sending and receiving`, {}, async ({ page, modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openAccount()
    await modal.press('wallet-features-receive-button')
    await modal.shows('WalletReceive')
    await assertAccessible(page)
    await modal.press('header-back')

    await modal.press('wallet-features-send-button')
    await modal.shows('WalletSend')
    await assertAccessible(page)
    await modal.press('send-select-token-button')
    await modal.find('send-token-WIDE').waitFor()
    await assertAccessible(page)
    await modal.press('send-token-WIDE')
    await modal.find('send-amount-input').fill('0.1')
    await modal.find('send-address-input').fill(lookAlikeOf(wallet.address))
    await modal.find('send-doubt').waitFor()
    await assertAccessible(page)
    await modal.find('send-address-input').fill(freshAddress())
    await modal.readyToReview()
    await assertAccessible(page)
    await modal.press('send-review-button')
    await modal.shows('WalletSendPreview')
    await assertAccessible(page)
  })

  journey(`once it is sent`, { account: 2 }, async (scene) => {
    const { page, context, modal, wallet } = scene
    await modal.connect(wallet)
    await modal.prepareSend({ symbol: 'ETH', amount: '0.01', to: freshAddress() })
    const release = await withholdReceipts(context)
    await modal.press('send-confirm-button')
    const status = modal.find('transaction-status')
    await status.and(page.locator('[data-status="pending"]')).waitFor()
    await assertAccessible(page)
    await release()
    await status.and(page.locator('[data-status="confirmed"]')).waitFor()
    await assertAccessible(page)
  })

  journey(`while buying`, {}, async ({ page, modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openAccount()
    await modal.press('wallet-features-onramp-button')
    await modal.shows('OnRampProviders')
    await modal.find('onramp-amount-input').fill('5')
    await assertAccessible(page)
    await modal.press('onramp-preset-100')
    await modal.press('onramp-provider-HARBOR-PAY')
    await assertAccessible(page)
    await modal.press('onramp-token-button')
    await modal.find('onramp-token-tUSD-eip155:31337').waitFor()
    await assertAccessible(page)
    await modal.press('header-back')
    await modal.press('onramp-currency-button')
    await modal.find('onramp-fiat-EUR').waitFor()
    await assertAccessible(page)
    await modal.press('header-back')
    await modal.press('onramp-help-button')
    await modal.shows('WhatIsABuy')
    await assertAccessible(page)
  })

  const refusals = /status of 400/
  journey(`while swapping`, { account: 2, expectedErrors: refusals }, async ({ page, modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openAccount()
    await modal.press('wallet-features-swaps-button')
    await modal.shows('Swap')
    await assertAccessible(page)
    await modal.press('swap-select-token-button-toToken')
    await modal.find('swap-select-token-item-tGOLD').waitFor()
    await assertAccessible(page)
    await modal.press('swap-select-token-item-tUSD')
    await modal.find('swap-input-token-sourceToken').fill('0.5')
    await modal.readyToSwap()
    await modal.press('swap-details')
    await modal.press('swap-slippage-button')
    await modal.find('swap-slippage-custom').fill('60')
    await assertAccessible(page)
    await modal.find('swap-slippage-custom').fill('1')
    await modal.find('swap-price-impact').getByRole('button').focus()
    await assertAccessible(page)

    const prompt = wallet.approvals.holdNext()
    await modal.press('swap-action-button')
    await modal.readyToConfirmSwap()
    await modal.press('swap-details')
    await assertAccessible(page)
    await modal.press('swap-confirm-button')
    await prompt.opened
    await assertAccessible(page)
    prompt.reject()
    await modal.says('You declined. Nothing was sent.')
    await assertAccessible(page)
  })

  journey(`when swaps are unavailable`, { expectedErrors: refusals }, async ({ page, modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openSwap({ sell: 'ETH', buy: 'TAX', amount: '1' })
    await modal.find('swap-notice').waitFor()
    await assertAccessible(page)
    wallet.switchChain(31338)
    await modal.find('w3m-network-switch-Devnet').waitFor()
    await assertAccessible(page)
  })

  journey(`when nothing is found`, { account: 9 }, async ({ page, modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openAccount()
    await modal.find('empty-account-state').waitFor()
    await assertAccessible(page)
    await modal.press('tab-nfts')
    await modal.find('empty-nfts-state').waitFor()
    await assertAccessible(page)
    await modal.press('w3m-account-select-network')
    await modal.find('wui-input-text').fill('no such network')
    await modal.card.getByText('No network found', { exact: true }).waitFor()
    await assertAccessible(page)
  })

  journey(`on an unsupported network`, { knownChains: [31337, 424242] }, async ({ page, modal, wallet }) => {
    await modal.connect(wallet)
    wallet.switchChain(424242)
    await modal.shows('UnsupportedChain')
    await assertAccessible(page)
  })
})
