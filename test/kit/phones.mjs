import { after } from 'node:test'
import { site } from './site.mjs'
import { PhoneWallet } from './wallet/phoneWallet.mjs'
import { walletOf } from './wallets.mjs'

/** @type {PhoneWallet[]} */
const phones = []
after(() => {
  for (const phone of phones) phone.close()
})

/**
 * Creates a wallet on a phone that uses the relay of the running stack.
 *
 * @param {object} [options]
 * @param {number} [options.account] index of the wallet's account
 * @param {boolean} [options.signsIn] whether it signs in with the pairing
 */
export function phoneOf({ account = 0, signsIn = false } = {}) {
  const phone = new PhoneWallet({
    wallet: walletOf({ account, name: 'Harbor Phone' }),
    relayUrl: `${site.gatewayUrl.replace(/^http/, 'ws')}/v1/relay`,
    projectId: site.projectId,
    signsIn,
  })
  phones.push(phone)
  return phone
}

/**
 * Opens the code of a pairing, and returns its content.
 *
 * @param {import('./modal.mjs').Modal} modal
 * @returns {Promise<string>} `wc:` URI
 */
export async function openPairing(modal) {
  await modal.connectButton.click()
  await modal.press('wallet-selector-walletConnect')
  await modal.shows('ConnectingWalletConnect')
  await modal.find('wui-qr-code').waitFor()
  return (await modal.find('copy-wc2-uri').getAttribute('title')) ?? ''
}
