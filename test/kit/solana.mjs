import { generateKeyPairSync } from 'node:crypto'
import { getBase58Decoder } from '@solana/kit'
import { eventually } from './eventually.mjs'
import { site } from './site.mjs'

const { solana } = site.devnet
if (!solana) throw new Error('the stack has no Solana chain')

/** The local Solana chain as the journeys access it: through its node, not through the product. */
export const svm = {
  ...solana,
  /** @param {string} symbol */
  token(symbol) {
    const token = solana.tokens.find((candidate) => candidate.symbol === symbol)
    if (!token) throw new Error(`the chain has no token ${symbol}`)
    return token
  },
  /** @param {number} index */
  account(index) {
    const account = solana.accounts[index]
    if (!account) throw new Error(`the chain has no account ${index}`)
    return account
  },
  /**
   * @param {string} address
   * @returns {Promise<bigint>} lamports
   */
  async balance(address) {
    const { value } = await call('getBalance', [address, { commitment: 'processed' }])
    return BigInt(value)
  },
  /**
   * @param {string} symbol
   * @param {string} owner
   * @returns {Promise<bigint>} base units in all accounts of the owner
   */
  async tokenBalance(symbol, owner) {
    const filter = { mint: this.token(symbol).address }
    const options = { encoding: 'jsonParsed', commitment: 'processed' }
    const { value } = await call('getTokenAccountsByOwner', [owner, filter, options])
    const amounts = value.map((/** @type {any} */ { account }) => account.data.parsed.info.tokenAmount.amount)
    return amounts.reduce(
      (/** @type {bigint} */ sum, /** @type {string} */ amount) => sum + BigInt(amount),
      0n,
    )
  },
  /**
   * Pays lamports from the faucet.
   *
   * @param {string} to
   * @param {bigint} lamports
   * @returns {Promise<string>} signature
   */
  airdrop: (to, lamports) => call('requestAirdrop', [to, Number(lamports)]),
  /**
   * Writes an account, which is not possible on a real chain.
   *
   * @param {string} address
   * @param {string} owner program
   * @param {Uint8Array} data
   */
  setAccount: (address, owner, data) =>
    call('devnet_setAccount', [address, { owner, data: [Buffer.from(data).toString('base64'), 'base64'] }]),
  /**
   * Waits for the newest transaction that names an account.
   *
   * @param {string} address
   * @returns {Promise<string>} signature
   */
  newestSignature: (address) =>
    eventually(async () => {
      const [newest] = await call('getSignaturesForAddress', [address, { limit: 1, commitment: 'confirmed' }])
      if (!newest) throw new Error(`${address} has no transaction`)
      return newest.signature
    }),
}

/** Returns an unused address, so that its balance comes from the journey only. */
export function freshSolanaAddress() {
  const { publicKey } = generateKeyPairSync('ed25519')
  return getBase58Decoder().decode(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32))
}

/**
 * @param {string} method
 * @param {unknown[]} params
 */
async function call(method, params) {
  const response = await fetch(svm.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(5_000),
  })
  const { result, error } = await response.json()
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}
