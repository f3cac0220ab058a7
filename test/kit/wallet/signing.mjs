import { hexToBigInt, hexToNumber, isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { invalidParams } from './errors.mjs'

/**
 * A transaction as a page asks for it, quantities in hex.
 * @typedef {object} TransactionRequest
 * @property {`0x${string}`} from
 * @property {`0x${string}`} [to]
 * @property {`0x${string}`} [data]
 * @property {`0x${string}`} [value] wei
 * @property {`0x${string}`} [gas]
 * @property {`0x${string}`} [gasPrice] wei per gas
 * @property {`0x${string}`} [nonce]
 */

/** @typedef {(method: string, params: unknown[]) => Promise<any>} Node */

/**
 * Fills in what the page left out.
 *
 * @param {TransactionRequest} request
 * @param {Node} node
 * @returns {Promise<Required<Pick<TransactionRequest, 'nonce' | 'gas' | 'gasPrice'>> & TransactionRequest>}
 */
export async function complete(request, node) {
  const { from, to, data, value } = request
  const nonce = request.nonce ?? (await node('eth_getTransactionCount', [from, 'pending']))
  const gas = request.gas ?? (await node('eth_estimateGas', [{ from, to, data, value }]))
  const gasPrice = request.gasPrice ?? (await node('eth_gasPrice', []))
  return { ...request, nonce, gas, gasPrice }
}

/**
 * Signs a transaction and sends it to the node.
 *
 * @param {object} options
 * @param {`0x${string}`} options.privateKey
 * @param {number} options.chainId
 * @param {Awaited<ReturnType<typeof complete>>} options.request
 * @param {Node} options.node
 * @returns {Promise<`0x${string}`>} transaction hash
 */
export async function sendTransaction({ privateKey, chainId, request, node }) {
  const { to, data, value, nonce, gas, gasPrice } = request
  const signed = await privateKeyToAccount(privateKey).signTransaction({
    type: 'legacy',
    chainId,
    nonce: hexToNumber(nonce),
    gas: hexToBigInt(gas),
    gasPrice: hexToBigInt(gasPrice),
    value: hexToBigInt(value ?? '0x0'),
    ...(to && { to }),
    ...(data && { data }),
  })
  return node('eth_sendRawTransaction', [signed])
}

/**
 * Signs a message as personal_sign does (EIP-191).
 *
 * @param {`0x${string}`} privateKey
 * @param {unknown} message hex bytes, or text as some pages send it
 */
export function signMessage(privateKey, message) {
  if (typeof message !== 'string') throw invalidParams('the message must be a string')
  return privateKeyToAccount(privateKey).signMessage({ message: isHex(message) ? { raw: message } : message })
}

/**
 * Signs typed data as eth_signTypedData_v4 does (EIP-712).
 *
 * @param {`0x${string}`} privateKey
 * @param {unknown} typedData JSON text or the object itself
 */
export function signTypedData(privateKey, typedData) {
  const { domain, types, primaryType, message } =
    typeof typedData === 'string' ? JSON.parse(typedData) : typedData
  return privateKeyToAccount(privateKey).signTypedData({ domain, types, primaryType, message })
}
