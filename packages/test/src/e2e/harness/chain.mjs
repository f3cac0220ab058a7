import { createPublicClient, createWalletClient, erc20Abi, http, numberToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { site } from './site.mjs'

/** The two local chains as the journeys see them: by node, past the product. */
export const devnet = chainAt(31337)
export const devnetTwo = chainAt(31338)

/** The account from which others are paid; no journey connects it. */
const payer = privateKeyToAccount(accountAt(7).privateKey)

/** @param {number} index */
function accountAt(index) {
  const account = site.devnet.accounts[index]
  if (!account) throw new Error(`the stack has no account ${index}`)
  return account
}

/** @param {number} chainId */
function chainAt(chainId) {
  const found = site.devnet.chains.find((chain) => chain.chainId === chainId)
  if (!found) throw new Error(`the stack has no chain ${chainId}`)
  const client = createPublicClient({ transport: http(found.rpcUrl) })
  return {
    ...found,
    client,
    /** @param {string} symbol */
    token(symbol) {
      const token = found.tokens.find((candidate) => candidate.symbol === symbol)
      if (!token) throw new Error(`chain ${chainId} has no token ${symbol}`)
      return token
    },
    /**
     * @param {string} symbol
     * @param {`0x${string}`} owner
     * @returns {Promise<bigint>} base units
     */
    tokenBalance(symbol, owner) {
      const { address } = this.token(symbol)
      return client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
    },
    /**
     * @param {`0x${string}`} address
     * @returns {Promise<bigint>} wei
     */
    balance: (address) => client.getBalance({ address }),
    /**
     * @param {`0x${string}`} address
     * @param {bigint} wei
     */
    async setBalance(address, wei) {
      const request = /** @type {any} */ ({ method: 'anvil_setBalance', params: [address, numberToHex(wei)] })
      await client.request(request)
    },
    /**
     * Somebody else sends native currency.
     *
     * @param {`0x${string}`} to
     * @param {bigint} value wei
     */
    async pay(to, value) {
      const hash = await createWalletClient({
        account: payer,
        transport: http(found.rpcUrl),
      }).sendTransaction({
        chain: null,
        to,
        value,
      })
      await client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
    },
  }
}

/** An address nobody used before, so that what it holds afterwards was sent by the journey. */
export function freshAddress() {
  return privateKeyToAddress(generatePrivateKey())
}
