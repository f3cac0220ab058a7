import { accounts, nameKeeper, treasury } from './accounts.mjs'
import { collections } from './collections.mjs'
import { exchanges } from './exchanges.mjs'
import { treasuryEther } from './treasury.mjs'

/**
 * What one local chain holds. Lists are in deployment order: add to the end, for the order decides
 * the addresses.
 *
 * @typedef {object} ChainPlan
 * @property {number} chainId
 * @property {string} name
 * @property {{ name: string, symbol: string, decimals: number }} nativeCurrency
 * @property {TokenPlan[]} tokens
 * @property {FeedPlan[]} feeds
 * @property {import('./collections.mjs').CollectionPlan[]} nfts
 * @property {import('./exchanges.mjs').ExchangePlan} [exchanges] absent where nothing is traded
 * @property {string[]} [single] contracts without a constructor's arguments, of which the chain has one each
 * @property {boolean} [ens] whether it has a name service
 * @property {Record<string, bigint>} balances native balances in wei that differ from anvil's 10,000
 */

/**
 * @typedef {object} TokenPlan
 * @property {string} id unique on its chain; the key in `contracts`
 * @property {'TestToken' | 'NoReturnToken' | 'BrokenToken' | 'PermitToken' | 'TaxedToken' | 'TrapToken'} contract
 * @property {string} name
 * @property {string} symbol
 * @property {number} decimals
 * @property {boolean} [burnsGas] BrokenToken only: burn all gas instead of reverting
 * @property {Record<string, bigint>} [holders] base units by address
 */

/**
 * @typedef {object} FeedPlan
 * @property {string} id
 * @property {string} pair for people, such as "ETH / USD"
 * @property {string} [token] id of the priced token; absent for the native currency
 * @property {bigint} answer US dollars with eight decimals
 */

const [zero, one, two, three] = accounts.map((account) => account.address)
const five = accounts[5]?.address
if (!zero || !one || !two || !three || !five) throw new Error('the mnemonic gave too few accounts')

const ether = { name: 'Ether', symbol: 'ETH', decimals: 18 }

/** @type {ChainPlan} */
const devnet = {
  chainId: 31337,
  name: 'Devnet',
  nativeCurrency: ether,
  tokens: [
    {
      id: 'tUSD',
      contract: 'TestToken',
      name: 'Test USD',
      symbol: 'tUSD',
      decimals: 6,
      holders: { [zero]: 1_000_000_000_001n, [one]: 2_500_000_000n, [two]: 1n, [five]: 100_000_000n },
    },
    {
      id: 'tDAI',
      contract: 'TestToken',
      name: 'Test Dai',
      symbol: 'tDAI',
      decimals: 18,
      holders: { [zero]: 1_234_567_000_000_000_000_000_001n, [one]: 1n },
    },
    {
      id: 'WIDE',
      contract: 'TestToken',
      name: 'Thirty-six decimals',
      symbol: 'WIDE',
      decimals: 36,
      holders: { [zero]: 1_234567890123456789012345678901234567n },
    },
    {
      id: 'HUGE',
      contract: 'TestToken',
      name: 'More than 128 bits',
      symbol: 'HUGE',
      decimals: 18,
      holders: { [zero]: 2n ** 128n + 1n },
    },
    {
      id: 'tUSDT',
      contract: 'NoReturnToken',
      name: 'Test Tether',
      symbol: 'tUSDT',
      decimals: 6,
      holders: { [zero]: 5_000_000_123n, [one]: 750_000_000n },
    },
    {
      id: 'LONG',
      contract: 'TestToken',
      name: 'A token whose name was written by somebody who never had to fit it into a list on a phone',
      symbol: 'ANUNREASONABLYLONGTOKENSYMBOL',
      decimals: 18,
      holders: { [zero]: 42_000_000_000_000_000_000n },
    },
    {
      id: 'WHOLE',
      contract: 'TestToken',
      name: 'No decimals',
      symbol: 'WHOLE',
      decimals: 0,
      holders: { [zero]: 7n },
    },
    { id: 'REVERTS', contract: 'BrokenToken', name: 'Reverting token', symbol: 'RVRT', decimals: 18 },
    {
      id: 'BURNS',
      contract: 'BrokenToken',
      name: 'Gas burning token',
      symbol: 'BURN',
      decimals: 18,
      burnsGas: true,
    },
  ],
  feeds: [
    { id: 'ETH/USD', pair: 'ETH / USD', answer: 3_125_42000000n },
    { id: 'tUSD/USD', pair: 'tUSD / USD', token: 'tUSD', answer: 1_00000000n },
    { id: 'tDAI/USD', pair: 'tDAI / USD', token: 'tDAI', answer: 99980000n },
    { id: 'WIDE/USD', pair: 'WIDE / USD', token: 'WIDE', answer: 2_50000000n },
    { id: 'tUSDT/USD', pair: 'tUSDT / USD', token: 'tUSDT', answer: 1_00010000n },
  ],
  nfts: collections,
  exchanges,
  single: ['BatchAccount'],
  ens: true,
  balances: {
    [five]: 1_000_000_000_000_000_001n,
    [accounts[8]?.address ?? '']: 1n,
    [accounts[9]?.address ?? '']: 0n,
    [nameKeeper.address]: 10n ** 18n,
    [treasury.address]: treasuryEther,
  },
}

/** @type {ChainPlan} */
const devnetTwo = {
  chainId: 31338,
  name: 'Devnet Two',
  nativeCurrency: ether,
  tokens: [
    {
      id: 'tUSD',
      contract: 'TestToken',
      name: 'Test USD',
      symbol: 'tUSD',
      decimals: 6,
      holders: { [zero]: 333_000_000n, [one]: 2_000_000n },
    },
    {
      id: 'tEUR',
      contract: 'TestToken',
      name: 'Test Euro',
      symbol: 'tEUR',
      decimals: 18,
      holders: { [zero]: 12_500_000_000_000_000_000n },
    },
  ],
  feeds: [
    { id: 'ETH/USD', pair: 'ETH / USD', answer: 3_125_42000000n },
    { id: 'tUSD/USD', pair: 'tUSD / USD', token: 'tUSD', answer: 1_00000000n },
    { id: 'tEUR/USD', pair: 'tEUR / USD', token: 'tEUR', answer: 1_08000000n },
  ],
  nfts: [],
  balances: { [treasury.address]: treasuryEther },
}

/** The local chains, in port order. */
export const chainPlans = [devnet, devnetTwo]
