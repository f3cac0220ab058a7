import { describeFeeds } from './feeds.mjs'
import { accounts, addressOf, treasury } from './keys.mjs'
import { describeNames } from './names.mjs'
import { caip2, genesisHash } from './network.mjs'
import { token2022Program, tokenProgram } from './programs.mjs'
import { tokenPlans } from './tokens.mjs'

/**
 * Description of the local Solana chain for its clients.
 * @typedef {object} SolanaManifest
 * @property {string} caip2 chain id by CAIP-2
 * @property {string} name
 * @property {string} genesisHash
 * @property {string} rpcUrl
 * @property {string} wsUrl
 * @property {{ name: string, symbol: string, decimals: number }} nativeCurrency
 * @property {{ symbol: string, name: string, address: string, decimals: number, program: string }[]} tokens address is the mint's, program that of the token program
 * @property {{ pair: string, id: string, token?: string }[]} feeds of Pyth: the id in hex, and the priced mint; without it SOL
 * @property {{ name: string, address: string }[]} names with the wallet that each leads to
 * @property {import('./keys.mjs').SolanaAccount[]} accounts funded, in derivation order
 * @property {import('./keys.mjs').SolanaAccount} treasury what the sandbox's sellers send from
 */

/**
 * @param {string} rpcUrl
 * @returns {SolanaManifest}
 */
export function describeSolana(rpcUrl) {
  return {
    caip2,
    name: 'Solana Local',
    genesisHash,
    rpcUrl,
    wsUrl: rpcUrl.replace(/^http/, 'ws'),
    nativeCurrency: { name: 'Solana', symbol: 'SOL', decimals: 9 },
    tokens: tokenPlans.map(({ id, symbol, name, decimals, program }) => ({
      symbol: symbol || id,
      name: name || id,
      address: addressOf(`mint ${id}`),
      decimals,
      program: program === 'spl-token' ? tokenProgram : token2022Program,
    })),
    feeds: describeFeeds(),
    names: describeNames(),
    accounts,
    treasury,
  }
}
