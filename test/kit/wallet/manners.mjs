/**
 * @typedef {object} Manners how a wallet writes what it answers
 * @property {string} name
 * @property {(address: string) => string} account
 * @property {(error: import('./errors.mjs').WalletError, method: string) => { code?: number | string, message: string, data?: unknown }} error
 */

/** @param {string} address */
const lower = (address) => address.toLowerCase()

/** @param {import('./errors.mjs').WalletError} error */
const plain = ({ code, message }) => ({ code, message })

/** As EIP-1193 and EIP-55 say. @type {Manners} */
export const standard = { name: 'the standard', account: (address) => address, error: plain }

/** @param {string} method */
const isSigning = (method) => /sign/i.test(method)

/** The manners of wallets that visitors have, from what they are known to answer. @type {readonly Manners[]} */
const wallets = [
  {
    name: 'MetaMask',
    account: lower,
    error({ code, message }, method) {
      if (code === 4902) {
        const text = `${message} Try adding the chain using wallet_addEthereumChain first.`
        return { code: -32603, message: text, data: { originalError: { code, message: text } } }
      }
      if (code !== 4001 || !/sign|send/i.test(method)) return { code, message }
      const kind = isSigning(method) ? 'Message' : 'Tx'
      const what = isSigning(method) ? 'message' : 'transaction'
      return { code, message: `MetaMask ${kind} Signature: User denied ${what} signature.` }
    },
  },
  {
    name: 'Phantom',
    account: lower,
    error: ({ code, message }) => ({ code: code === 4902 ? String(code) : code, message }),
  },
  {
    name: 'Coinbase Wallet',
    account: lower,
    error({ code, message }) {
      if (code === 4902) return { code: -32603, message }
      return { code, message: code === 4001 ? 'User denied account authorization' : message }
    },
  },
  {
    name: 'Safe',
    account: (address) => address,
    error: ({ code, message }) =>
      code === 4001 ? { code: -32000, message: 'Transaction was rejected' } : { code, message },
  },
]

/**
 * Draws the manners of a journey's wallet, the same ones for the same name.
 *
 * @param {string} journey
 */
export function mannersOf(journey) {
  let sum = 0
  for (const letter of journey) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003
  return wallets[sum % wallets.length] ?? standard
}
