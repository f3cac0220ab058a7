import { TestWallet } from '../../wallet/testWallet.mjs'
import { site } from './site.mjs'

/**
 * A wallet with the development accounts of the running stack.
 *
 * @param {object} [options]
 * @param {number} [options.account] index of the wallet's first account
 * @param {number[]} [options.knownChains] chain ids the wallet knows, the active one first
 * @param {string} [options.name]
 * @param {string} [options.rdns]
 */
export function walletOf({ account = 0, knownChains = [31337, 31338], ...info } = {}) {
  const privateKeys = site.devnet.accounts.slice(account).map(({ privateKey }) => privateKey)
  return new TestWallet({ privateKeys, chains: knownChains.map(knownChain), ...info })
}

/** @param {number} chainId */
function knownChain(chainId) {
  const chain = site.devnet.chains.find((candidate) => candidate.chainId === chainId)
  // Of a chain that only the wallet knows no journey asks a node: nothing listens on the discard port.
  return { chainId, rpcUrl: chain?.rpcUrl ?? 'http://127.0.0.1:9' }
}
