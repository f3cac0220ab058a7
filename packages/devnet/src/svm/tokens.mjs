import { accounts, treasury } from './keys.mjs'

/**
 * A token of the local Solana chain. Its mint's address is derived from its id.
 *
 * @typedef {object} TokenPlan
 * @property {string} id unique; the symbol of most
 * @property {'spl-token' | 'spl-token-2022'} program
 * @property {string} name
 * @property {string} symbol
 * @property {number} decimals
 * @property {boolean} [bare] has no metadata
 * @property {{ basisPoints: number, maximum: bigint }} [transferFee] Token-2022 only; maximum in base units
 * @property {Record<string, bigint>} holders base units by address
 * @property {string[]} [memoRequired] Token-2022 only: holders whose account refuses transfers without a memo
 * @property {string[]} [frozen] holders whose account is frozen
 */

const [zero, one, two, three, , five] = accounts.map((account) => account.address)
if (!zero || !one || !two || !three || !five) throw new Error('the mnemonic gave too few accounts')

/** @type {TokenPlan[]} */
export const tokenPlans = [
  {
    id: 'tUSD',
    program: 'spl-token',
    name: 'Test USD',
    symbol: 'tUSD',
    decimals: 6,
    holders: {
      [zero]: 1_000_000_000_001n,
      [one]: 2_500_000_000n,
      [two]: 1n,
      [five]: 100_000_000n,
      [treasury.address]: 1_000_000_000_000n,
    },
  },
  {
    id: 'tJUP',
    program: 'spl-token',
    name: 'Test Jupiter',
    symbol: 'tJUP',
    decimals: 9,
    holders: {
      [zero]: 1_234_567_000_000_001n,
      [three]: 5_000_000_000n,
      [treasury.address]: 1_000_000_000_000_000n,
    },
    frozen: [three],
  },
  {
    id: 'HUGE',
    program: 'spl-token',
    name: 'The largest balance there is',
    symbol: 'HUGE',
    decimals: 5,
    holders: { [zero]: 2n ** 64n - 1n },
  },
  {
    id: 'WHOLE',
    program: 'spl-token',
    name: 'No decimals',
    symbol: 'WHOLE',
    decimals: 0,
    holders: { [zero]: 7n },
  },
  {
    id: 'BARE',
    program: 'spl-token',
    name: '',
    symbol: '',
    decimals: 2,
    bare: true,
    holders: { [zero]: 12_345n },
  },
  {
    id: 'SPAM',
    program: 'spl-token',
    name: 'Claim at https://claim.example',
    symbol: 'CLAIM',
    decimals: 6,
    holders: { [zero]: 5_000_000_000n, [one]: 5_000_000_000n },
  },
  {
    id: 'tPYUSD',
    program: 'spl-token-2022',
    name: 'Test PayUSD',
    symbol: 'tPYUSD',
    decimals: 6,
    holders: {
      [zero]: 750_000_000n,
      [one]: 20_000_000n,
      [two]: 3_000_000n,
      [treasury.address]: 1_000_000_000_000n,
    },
    memoRequired: [two],
  },
  {
    id: 'TAX',
    program: 'spl-token-2022',
    name: 'Takes one percent',
    symbol: 'TAX',
    decimals: 8,
    transferFee: { basisPoints: 100, maximum: 500_000_000n },
    holders: { [zero]: 4_200_000_000n, [two]: 100_000_000n },
  },
]

/** Lamports of the development accounts. */
export const balances = {
  [zero]: 1_000_000_000_000n,
  [one]: 100_000_000_000n,
  [two]: 100_000_000_000n,
  [three]: 100_000_000_000n,
  [accounts[4]?.address ?? '']: 100_000_000_000n,
  [five]: 1_000_000_001n,
  [accounts[6]?.address ?? '']: 100_000_000_000n,
  [accounts[7]?.address ?? '']: 100_000_000_000n,
  // The least that an account may hold.
  [accounts[8]?.address ?? '']: 890_880n,
}
