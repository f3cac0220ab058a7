import { createHash } from 'node:crypto'
import { address, getProgramDerivedAddress, lamports } from '@solana/kit'
import { bytesOf, u16, u32, u64 } from './instructions.mjs'
import { addressOf, minter } from './keys.mjs'

/**
 * A price feed: an account in the layout of Pyth's PriceUpdateV2, at the address where Pyth has it.
 *
 * @typedef {object} FeedPlan
 * @property {string} pair such as "SOL / USD"
 * @property {string} id 32 bytes in hex; Pyth's own where it has the pair
 * @property {string} [token] id of the priced token; absent for SOL
 * @property {bigint} price US dollars with eight decimals
 */

const receiverProgram = address('rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ')
const pushProgram = address('pythWSnswVUd12oZpeFP8e9CVaEqJg25g1Vtc2biRsT')

/** @type {FeedPlan[]} */
const feedPlans = [
  {
    pair: 'SOL / USD',
    id: 'ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d',
    price: 152_30000000n,
  },
  { pair: 'tUSD / USD', id: feedId('tUSD'), token: 'tUSD', price: 1_00000000n },
  { pair: 'tJUP / USD', id: feedId('tJUP'), token: 'tJUP', price: 85000000n },
  { pair: 'tPYUSD / USD', id: feedId('tPYUSD'), token: 'tPYUSD', price: 99980000n },
]

/** Returns the description of every feed. */
export function describeFeeds() {
  return feedPlans.map(({ pair, id, token }) => ({
    pair,
    id,
    ...(token && { token: addressOf(`mint ${token}`) }),
  }))
}

/**
 * Writes every feed with the present time: a price is used only while it is fresh.
 *
 * @param {import('./chain.mjs').Chain} chain
 */
export async function writeFeeds(chain) {
  for (const { id, price } of feedPlans) {
    const seeds = [u16(0), Buffer.from(id, 'hex')]
    const [account] = await getProgramDerivedAddress({ programAddress: pushProgram, seeds })
    const data = encode(id, price, BigInt(Math.floor(Date.now() / 1000)), BigInt(chain.slot))
    chain.setAccount({
      address: account,
      lamports: lamports(chain.rentExemption(BigInt(data.length))),
      data,
      programAddress: receiverProgram,
      executable: false,
      space: BigInt(data.length),
    })
  }
}

/**
 * @param {string} id
 * @param {bigint} price
 * @param {bigint} time seconds since 1970
 * @param {bigint} slot
 */
function encode(id, price, time, slot) {
  const fullyVerified = 1
  const exponent = -8
  return Buffer.concat([
    createHash('sha256').update('account:PriceUpdateV2').digest().subarray(0, 8),
    bytesOf(minter.address),
    Buffer.from([fullyVerified]),
    Buffer.from(id, 'hex'),
    u64(price),
    u64(price / 1_000n), // confidence
    u32(exponent >>> 0),
    u64(time),
    u64(time - 1n),
    u64(price), // mean
    u64(price / 1_000n),
    u64(slot),
  ])
}

/** @param {string} symbol */
function feedId(symbol) {
  return createHash('sha256').update(`hawser feed ${symbol}`).digest('hex')
}
