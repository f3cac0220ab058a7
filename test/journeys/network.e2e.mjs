import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { formatUnits } from 'viem'
import { devnetTwo } from '../kit/chain.mjs'
import { eventually } from '../kit/eventually.mjs'
import { journey, mainJourney } from '../kit/journey.mjs'

const unknownToTheSite = 424242

describe('switching networks', () => {
  mainJourney('shows the balances of the chosen network', {}, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await chooseNetwork(modal, 'Devnet Two')
    await eventually(() => assert.equal(wallet.chainId, 31338))
    await modal.networkButton.getByText('Devnet Two').waitFor()

    await modal.isClosed()
    await modal.openAccount()
    const { decimals } = devnetTwo.token('tEUR')
    await modal.tokenIs('tEUR', formatUnits(await devnetTwo.tokenBalance('tEUR', wallet.address), decimals))
  })

  journey(
    'adds a network that the wallet does not know',
    { knownChains: [31337] },
    async ({ modal, wallet }) => {
      await modal.connect(wallet)
      await chooseNetwork(modal, 'Devnet Two')
      await modal.networkButton.getByText('Devnet Two').waitFor()
      assert.equal(wallet.chainId, 31338)
      assert.ok(wallet.requests.some(({ method }) => method === 'wallet_addEthereumChain'))
    },
  )

  journey('can be tried again after the wallet declined', {}, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    wallet.approvals.rejectNext()
    await chooseNetwork(modal, 'Devnet Two')
    await modal.card.getByText('You declined.', { exact: true }).waitFor()
    assert.equal(wallet.chainId, 31337)
    await modal.press('w3m-connecting-widget-secondary-button')
    await modal.networkButton.getByText('Devnet Two').waitFor()
  })

  journey('follows the wallet', {}, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    wallet.switchChain(31338)
    await modal.networkButton.getByText('Devnet Two').waitFor()
  })

  journey('is remembered over a reload', {}, async ({ page, modal, wallet }) => {
    await modal.connect(wallet)
    await chooseNetwork(modal, 'Devnet Two')
    await modal.networkButton.getByText('Devnet Two').waitFor()
    await page.reload()
    await modal.accountButton.waitFor()
    await modal.networkButton.getByText('Devnet Two').waitFor()
  })
})

describe('a network the site does not support', () => {
  const visitor = { knownChains: [31337, unknownToTheSite] }

  mainJourney('opens a view that only an answer closes', visitor, async ({ page, modal, wallet }) => {
    await modal.connect(wallet)
    wallet.switchChain(unknownToTheSite)
    await modal.shows('UnsupportedChain')
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await modal.press('w3m-header-close')
    await modal.shows('UnsupportedChain')
  })

  journey('is left by choosing a supported one', visitor, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    wallet.switchChain(unknownToTheSite)
    await modal.shows('UnsupportedChain')
    await modal.press('w3m-network-switch-Devnet')
    await modal.isClosed()
    assert.equal(wallet.chainId, 31337)
  })

  journey('is left by disconnecting', visitor, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    wallet.switchChain(unknownToTheSite)
    await modal.shows('UnsupportedChain')
    await modal.press('disconnect-button')
    await modal.isClosed()
    await modal.connectButton.waitFor()
  })
})

/**
 * @param {import('../kit/modal.mjs').Modal} modal
 * @param {string} name
 */
async function chooseNetwork(modal, name) {
  await modal.networkButton.click()
  await modal.press(`w3m-network-switch-${name}`)
}
