import { accounts } from './keys.mjs'

/**
 * Description of the local Bitcoin network for its clients.
 * @typedef {object} BitcoinManifest
 * @property {string} caip2 chain id by CAIP-2 (BIP-122)
 * @property {string} name
 * @property {string} apiUrl base URL of the HTTP API of Esplora
 * @property {{ name: string, symbol: string, decimals: number }} nativeCurrency
 * @property {import('./keys.mjs').BitcoinAccount[]} accounts in derivation order; see `funds`
 */

/**
 * @param {string} apiUrl
 * @returns {BitcoinManifest}
 */
export function describeBitcoin(apiUrl) {
  return {
    caip2: 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328',
    name: 'Bitcoin Regtest',
    apiUrl,
    nativeCurrency: { name: 'Bitcoin', symbol: 'rBTC', decimals: 8 },
    accounts,
  }
}

/** What accounts hold at the start, in satoshis: outputs of 330 or 546 are as those with an inscription. @type {[address: string, satoshis: number][]} */
export const funds = accounts.slice(0, 9).flatMap(({ payment, ordinal }, index) => {
  /** @type {[string, number][]} */
  const paid = [[payment.address, index === 8 ? 10_000 : 100_000_000]]
  return index < 4 ? [...paid, [ordinal.address, 546]] : paid
})
