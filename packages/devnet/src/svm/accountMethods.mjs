import { address, lamports } from '@solana/kit'
import { RpcError } from '../jsonRpcServer.mjs'
import { encodeData, fromBase58, parseAddress, toAddress } from './encoding.mjs'
import { invalidParams } from './errors.mjs'
import { tokenPrograms } from './programs.mjs'
import {
  describeAmount,
  isMint,
  isTokenAccount,
  parseTokenData,
  readMint,
  readTokenAccount,
} from './tokenData.mjs'

/**
 * @typedef {import('./chain.mjs').Chain} Chain
 * @typedef {import('./chain.mjs').Account} Account
 * @typedef {{ encoding?: string, dataSlice?: { offset: number, length: number }, commitment?: string, minContextSlot?: number, filters?: Filter[], withContext?: boolean }} AccountConfig
 * @typedef {{ dataSize?: number, memcmp?: { offset: number, bytes: string, encoding?: string }, tokenAccountState?: null }} Filter
 */

const maxAccounts = 100
const neverRent = 18_446_744_073_709_551_615n

/**
 * Returns the methods that read accounts, and the development method that writes them.
 *
 * @param {Chain} chain
 * @returns {Record<string, (params: any[]) => unknown>}
 */
export function accountMethods(chain) {
  /**
   * @param {unknown} value
   * @param {AccountConfig} [config]
   */
  const inContext = (value, config) => {
    const { minContextSlot } = config ?? {}
    if (minContextSlot !== undefined && minContextSlot > chain.slot) {
      throw new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot: chain.slot })
    }
    return { context: { apiVersion: '3.0.0', slot: chain.slot }, value }
  }
  /**
   * @param {string} owner
   * @param {{ mint?: string, programId?: string }} filter
   * @param {AccountConfig} config
   * @param {number} offset of the owner or the delegate
   */
  const tokenAccounts = (owner, filter, config, offset) => {
    const key = fromBase58(parseAddress(owner))
    if (filter?.mint === undefined && filter?.programId === undefined)
      throw invalidParams('missing field `mint`')
    const mint = filter.mint === undefined ? undefined : fromBase58(parseAddress(filter.mint))
    const programs = filter.programId === undefined ? tokenPrograms : [parseAddress(filter.programId)]
    if (!programs.every((program) => tokenPrograms.some((known) => known === program))) {
      throw invalidParams('unrecognized Token program id')
    }
    const found = programs.flatMap((program) =>
      chain
        .programAccounts(program)
        .filter(
          (account) => isTokenAccount(account) && key.equals(account.data.subarray(offset, offset + 32)),
        )
        .filter(({ data }) => offset === 32 || data[72] === 1)
        .filter(({ data }) => !mint || mint.equals(data.subarray(0, 32))),
    )
    return inContext(
      found.map((account) => ({ pubkey: account.address, account: describeAccount(chain, account, config) })),
      config,
    )
  }
  return {
    getBalance: ([of, config]) => inContext(chain.balance(parseAddress(of)), config),
    getAccountInfo: ([of, config]) =>
      inContext(describeAccount(chain, chain.account(parseAddress(of)), config), config),
    getMultipleAccounts: ([all, config]) => {
      if (!Array.isArray(all)) throw invalidParams('invalid type: expected a sequence')
      if (all.length > maxAccounts) throw invalidParams(`Too many inputs provided; max ${maxAccounts}`)
      return inContext(
        all.map((of) => describeAccount(chain, chain.account(parseAddress(of)), config)),
        config,
      )
    },
    getProgramAccounts: ([program, config]) => {
      const found = chain
        .programAccounts(parseAddress(program))
        .filter((account) => matches(account, config?.filters))
        .map((account) => ({ pubkey: account.address, account: describeAccount(chain, account, config) }))
      const wrapped = inContext(found, config)
      return config?.withContext ? wrapped : found
    },
    getTokenAccountsByOwner: ([owner, filter, config]) => tokenAccounts(owner, filter, config, 32),
    getTokenAccountsByDelegate: ([delegate, filter, config]) => tokenAccounts(delegate, filter, config, 76),
    getTokenAccountBalance: ([of, config]) => {
      const account = chain.account(parseAddress(of))
      if (!account || !isTokenAccount(account)) throw invalidParams('could not find account')
      const { amount, decimals } = readTokenAccount(account, chain.decimalsOf)
      return inContext(describeAmount(amount, decimals), config)
    },
    getTokenSupply: ([of, config]) => {
      const { supply, decimals } = mintAt(chain, of)
      return inContext(describeAmount(supply, decimals), config)
    },
    getTokenLargestAccounts: ([of, config]) => {
      const { decimals, mint, program } = mintAt(chain, of)
      const largest = chain
        .programAccounts(program)
        .filter((account) => isTokenAccount(account) && mint.equals(account.data.subarray(0, 32)))
        .map((account) => ({
          address: account.address,
          amount: readTokenAccount(account, () => decimals).amount,
        }))
        .sort((one, other) => Number(other.amount - one.amount))
        .slice(0, 20)
        .map((account) => ({ address: account.address, ...describeAmount(account.amount, decimals) }))
      return inContext(largest, config)
    },
    getMinimumBalanceForRentExemption: ([space]) => chain.rentExemption(BigInt(space)),
    devnet_setAccount: ([of, account]) => {
      const data = Buffer.from(account.data?.[0] ?? '', 'base64')
      chain.setAccount({
        address: parseAddress(of),
        lamports: lamports(BigInt(account.lamports ?? chain.rentExemption(BigInt(data.length)))),
        data,
        programAddress: address(account.owner),
        executable: account.executable ?? false,
        space: BigInt(data.length),
      })
      return null
    },
  }
}

/**
 * Returns an account in the JSON of nodes; null for none.
 *
 * @param {Chain} chain
 * @param {Account | undefined} account
 * @param {AccountConfig} [config]
 */
export function describeAccount(chain, account, config) {
  if (!account) return null
  const parsed = config?.encoding === 'jsonParsed' ? parseTokenData(account, chain.decimalsOf) : undefined
  const encoding = config?.encoding === 'jsonParsed' ? 'base64' : config?.encoding
  return {
    lamports: account.lamports,
    owner: account.programAddress,
    data: parsed ?? encodeData(account.data, { encoding, dataSlice: config?.dataSlice }),
    executable: account.executable,
    rentEpoch: neverRent,
    space: account.data.length,
  }
}

/**
 * Returns whether an account passes every filter.
 *
 * @param {Account} account
 * @param {Filter[]} [filters]
 */
export function matches(account, filters = []) {
  return filters.every(({ dataSize, memcmp, tokenAccountState }) => {
    if (dataSize !== undefined) return account.data.length === dataSize
    if (tokenAccountState !== undefined) return isTokenAccount(account)
    if (!memcmp) throw invalidParams('unknown filter')
    const wanted =
      memcmp.encoding === 'base64' ? Buffer.from(memcmp.bytes, 'base64') : fromBase58(memcmp.bytes)
    return wanted.equals(account.data.subarray(memcmp.offset, memcmp.offset + wanted.length))
  })
}

/**
 * @param {Chain} chain
 * @param {unknown} of
 */
function mintAt(chain, of) {
  const mint = parseAddress(of)
  const account = chain.account(mint)
  if (!account || !isMint(account)) throw invalidParams('not a Token mint')
  return {
    ...readMint(account),
    mint: fromBase58(mint),
    program: toAddress(fromBase58(account.programAddress)),
  }
}
