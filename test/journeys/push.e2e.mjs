import { describe } from 'node:test'
import { devnet } from '../kit/chain.mjs'
import { journey, mainJourney } from '../kit/journey.mjs'
import { stopPolling } from '../kit/withoutPolls.mjs'

const ETHER = 10n ** 18n

describe('a change on the chain, which is pushed', () => {
  mainJourney('reaches every tab, the closed modal too', { account: 5 }, async (scene) => {
    const { modal, wallet, openTab } = scene
    await stopPolling(scene)
    await devnet.setBalance(wallet.address, ETHER)
    await modal.connect(wallet)
    const other = await openTab()
    await other.modal.nativeBalanceIs('1')
    await devnet.pay(wallet.address, ETHER)
    await modal.nativeBalanceIs('2')
    await other.modal.nativeBalanceIs('2')
  })

  journey(
    'while the page is offline is shown when it is back',
    { account: 6, expectedErrors: /ERR_INTERNET_DISCONNECTED/ },
    async (scene) => {
      const { context, modal, wallet } = scene
      await stopPolling(scene)
      await devnet.setBalance(wallet.address, ETHER)
      await modal.connect(wallet)
      await modal.openAccount()
      await modal.tokenIs('ETH', '1')
      await context.setOffline(true)
      await devnet.pay(wallet.address, ETHER)
      await context.setOffline(false)
      await modal.tokenIs('ETH', '2')
    },
  )
})
