/** An error a wallet answers a page with: EIP-1193, EIP-3085 and EIP-5792 codes. */
export class WalletError extends Error {
  /**
   * @param {number} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message)
    this.name = 'WalletError'
    this.code = code
  }
}

export const userRejected = () => new WalletError(4001, 'User rejected the request.')
/** @param {string} why */
export const unauthorized = (why) => new WalletError(4100, why)
/** @param {string} method */
export const unsupportedMethod = (method) => new WalletError(4200, `The wallet does not support ${method}.`)
/** @param {string} chainId */
export const unrecognizedChain = (chainId) => new WalletError(4902, `Unrecognized chain ID "${chainId}".`)
/** @param {string} why */
export const invalidParams = (why) => new WalletError(-32602, why)

/** @param {string} capability */
export const unsupportedCapability = (capability) =>
  new WalletError(5700, `The wallet does not support ${capability}.`)
/** @param {string} chainId */
export const unsupportedBatchChain = (chainId) =>
  new WalletError(5710, `The wallet sends no batches on chain ${chainId}.`)
/** @param {string} id */
export const duplicateBatch = (id) => new WalletError(5720, `A batch ${id} was sent before.`)
/** @param {string} id */
export const unknownBatch = (id) => new WalletError(5730, `No batch ${id} was sent.`)
