import { site } from './site.mjs'
import { TestWallet } from './wallet/testWallet.mjs'

/**
 * Creates a wallet with the development accounts of the running stack.
 *
 * @param {object} [options]
 * @param {number} [options.account] index of the wallet's first account
 * @param {number[]} [options.knownChains] chain ids that the wallet supports, the active one first
 * @param {`0x${string}`[]} [options.privateKeys] instead of those of the development accounts
 * @param {string} [options.name]
 * @param {string} [options.rdns]
 * @param {`0x${string}`} [options.contract] the first account is this contract, for which its key signs
 * @param {boolean} [options.grantsAll] whether pages are granted all accounts
 * @param {boolean} [options.smart] whether it carries out several calls at once or not at all (EIP-5792)
 */
export function walletOf({ account = 0, knownChains = [31337, 31338], smart = false, ...info } = {}) {
  const privateKeys = site.devnet.accounts.slice(account).map(({ privateKey }) => privateKey)
  const chains = knownChains.map(knownChain)
  return new TestWallet({ privateKeys, chains, ...info, ...(smart && { batches: batchesOf() }) })
}

/** @returns {import('./wallet/batches.mjs').BatchOptions} */
function batchesOf() {
  const lenders = site.devnet.chains
    .map(({ chainId, contracts }) => [chainId, contracts.BatchAccount])
    .filter(([, address]) => address)
  return { status: 'supported', accounts: Object.fromEntries(lenders) }
}

/** @param {number} chainId */
function knownChain(chainId) {
  const chain = site.devnet.chains.find((candidate) => candidate.chainId === chainId)
  // Nothing listens on the discard port: no journey reads a chain that only the wallet supports.
  return { chainId, rpcUrl: chain?.rpcUrl ?? 'http://127.0.0.1:9' }
}
