import { treasury } from './accounts.mjs'

/**
 * What the sellers of the sandbox send from. Of its own currency a chain gives it {@link treasuryEther}.
 *
 * @typedef {object} TreasuryManifest
 * @property {`0x${string}`} address
 * @property {string} path BIP-44 derivation path of its key
 */

/** Wei on each chain: what is sold of it, and the gas of what is sent. */
export const treasuryEther = 10_000n * 10n ** 18n

/** Whole units of each priced token that it holds. */
const units = 1_000_000n

/** Whole units of wrapped ether that it holds; these have to be paid for. */
const wrappedUnits = 1_000n

/**
 * Gives the treasury every token of a chain that has a price. It is last in a deployment, so that it does not
 * change the addresses of other contracts.
 *
 * @param {import('./transactions.mjs').Transactions} transactions
 * @param {import('./chains.mjs').ChainPlan} plan
 */
export function addTreasury(transactions, { tokens, feeds, exchanges }) {
  const mintable = [...tokens, ...(exchanges?.tokens ?? [])]
  for (const { token } of [...feeds, ...(exchanges?.feeds ?? [])]) {
    const found = mintable.find(({ id }) => id === token)
    if (found) {
      const amount = units * 10n ** BigInt(found.decimals)
      transactions.call(found.contract, transactions.address(found.id), 'mint', [treasury.address, amount])
    }
  }
  if (exchanges) {
    const weth = transactions.address(exchanges.wrapped.id)
    const amount = wrappedUnits * 10n ** BigInt(exchanges.wrapped.decimals)
    transactions.call('WETH9', weth, 'deposit', [], amount)
    transactions.call('WETH9', weth, 'transfer', [treasury.address, amount])
  }
}

/** @returns {TreasuryManifest} */
export function describeTreasury() {
  return { address: treasury.address, path: treasury.path }
}
