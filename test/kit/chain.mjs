import { receiptOf } from '@hawser/devnet/receipt'
import {
  concat,
  createPublicClient,
  createWalletClient,
  erc20Abi,
  getAddress,
  http,
  maxUint256,
  numberToHex,
  pad,
  parseAbi,
  stringToHex,
  toEventSelector,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { site } from './site.mjs'

/** The two local chains as the journeys access them: through their nodes, not through the product. */
export const devnet = chainAt(31337)
export const devnetTwo = chainAt(31338)

const nftAbi = parseAbi([
  'function ownerOf(uint256) view returns (address)',
  'function balanceOf(address, uint256) view returns (uint256)',
  'function isApprovedForAll(address, address) view returns (bool)',
  'function setApprovalForAll(address, bool)',
])

const routerAbi = parseAbi([
  'struct ExactInputSingle { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(ExactInputSingle params) payable returns (uint256)',
])

/** The account that pays others; no journey connects it. */
const payer = privateKeyToAccount(accountAt(7).privateKey)

/** @param {number} index */
function accountAt(index) {
  const account = site.devnet.accounts[index]
  if (!account) throw new Error(`the stack has no account ${index}`)
  return account
}

/**
 * Returns the code of a contract that answers each call without arguments with its symbol, and logs the data
 * of any other call: three topics and data.
 *
 * @param {string} symbol
 */
function claimingToken(symbol) {
  const isGetter = '0x36600414602157'
  const log = '0x606036036060600037604035602035600035606036036000a300'
  const answer = concat(['0x5b7f', stringToHex(symbol, { size: 32 }), '0x60005260206000f3'])
  return concat([isGetter, log, answer])
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
     * @returns {Promise<`0x${string}` | undefined>} undefined for none
     */
    code: (address) => client.getCode({ address }),
    /**
     * @param {`0x${string}`} address
     * @param {bigint} wei
     */
    async setBalance(address, wei) {
      const request = /** @type {any} */ ({ method: 'anvil_setBalance', params: [address, numberToHex(wei)] })
      await client.request(request)
    },
    /**
     * Deploys a token that is in no list, with any symbol, which emits the transfers that a test wants.
     *
     * @param {string} symbol
     */
    async counterfeit(symbol) {
      const token = freshAddress()
      const request = /** @type {any} */ ({
        method: 'anvil_setCode',
        params: [token, claimingToken(symbol)],
      })
      await client.request(request)
      const wallet = createWalletClient({ account: payer, transport: http(found.rpcUrl) })
      return {
        address: token,
        /**
         * Emits a transfer of the token; resolves once it is in a block.
         *
         * @param {`0x${string}`} from
         * @param {`0x${string}`} to
         * @param {bigint} units
         */
        async claim(from, to, units) {
          const topic = toEventSelector('Transfer(address,address,uint256)')
          const data = concat([topic, pad(from), pad(to), numberToHex(units, { size: 32 })])
          const hash = await wallet.sendTransaction({ chain: null, to: token, data })
          await receiptOf(client, hash)
          return hash
        },
      }
    },
    /**
     * Sends payments of native currency from another account, in order; resolves with their hashes once all are in a block.
     *
     * @param {`0x${string}`} to
     * @param {bigint[]} values wei
     */
    async payEach(to, values) {
      const wallet = createWalletClient({ account: payer, transport: http(found.rpcUrl) })
      const first = await client.getTransactionCount({ address: payer.address })
      const fees = await client.estimateFeesPerGas()
      /** @type {`0x${string}`[]} */
      const hashes = []
      for (const [index, value] of values.entries())
        hashes.push(
          await wallet.sendTransaction({
            chain: null,
            to,
            value,
            gas: 21_000n,
            nonce: first + index,
            ...fees,
          }),
        )
      await Promise.all(hashes.map((hash) => receiptOf(client, hash)))
      return hashes
    },
    /**
     * Sends native currency from another account; resolves once it is in a block.
     *
     * @param {`0x${string}`} to
     * @param {bigint} value wei
     * @returns {Promise<`0x${string}`>} transaction hash
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
      await receiptOf(client, hash)
      return hash
    },
    /**
     * Sends native currency from any address, whose key nobody needs to have; resolves once it is in a block.
     *
     * @param {`0x${string}`} from
     * @param {`0x${string}`} to
     * @param {bigint} value wei
     * @param {`0x${string}`} [data] of a call
     * @returns {Promise<`0x${string}`>} transaction hash
     */
    async payAs(from, to, value, data = '0x') {
      await this.setBalance(from, value + 10n ** 18n)
      const request = (/** @type {string} */ method, /** @type {unknown[]} */ params) =>
        client.request(/** @type {any} */ ({ method, params }))
      await request('anvil_impersonateAccount', [from])
      const hash = /** @type {any} */ (
        await request('eth_sendTransaction', [{ from, to, value: numberToHex(value), data }])
      )
      await request('anvil_stopImpersonatingAccount', [from])
      await receiptOf(client, hash)
      return hash
    },
    /**
     * @param {string} symbol
     * @param {`0x${string}`} owner
     * @param {`0x${string}`} spender
     * @returns {Promise<bigint>} base units
     */
    allowance(symbol, owner, spender) {
      const { address } = this.token(symbol)
      return client.readContract({
        address,
        abi: erc20Abi,
        functionName: 'allowance',
        args: [owner, spender],
      })
    },
    /**
     * Sells native currency to the deepest pool, so that its price falls; resolves once that is in a block.
     *
     * @param {string} symbol of what is bought
     * @param {bigint} value wei
     * @param {import('viem').LocalAccount} [seller] by default an account that no journey uses
     */
    async sellEther(symbol, value, seller = payer) {
      const { routers } = this
      const params = {
        tokenIn: /** @type {`0x${string}`} */ (found.wrapped),
        tokenOut: this.token(symbol).address,
        fee: 500,
        recipient: seller.address,
        amountIn: value,
        amountOutMinimum: 0n,
        sqrtPriceLimitX96: 0n,
      }
      const hash = await createWalletClient({ account: seller, transport: http(found.rpcUrl) }).writeContract(
        {
          chain: null,
          address: /** @type {`0x${string}`} */ (routers[0]),
          abi: routerAbi,
          functionName: 'exactInputSingle',
          args: [params],
          value,
        },
      )
      await receiptOf(client, hash)
    },
    /**
     * Allows an account or a contract to spend a token; resolves once that is in a block.
     *
     * @param {string} symbol
     * @param {import('viem').LocalAccount} owner
     * @param {string} [spender] by default the most used router
     * @param {bigint} [units] base units, by default any amount
     */
    async approveAll(symbol, owner, spender = found.venues?.[0]?.router, units = maxUint256) {
      const hash = await createWalletClient({ account: owner, transport: http(found.rpcUrl) }).writeContract({
        chain: null,
        address: this.token(symbol).address,
        abi: erc20Abi,
        functionName: 'approve',
        args: [/** @type {`0x${string}`} */ (spender), units],
      })
      await receiptOf(client, hash)
    },
    /**
     * Allows an account or a contract to move every NFT of a collection; resolves once that is in a block.
     *
     * @param {string} symbol
     * @param {import('viem').LocalAccount} owner
     * @param {`0x${string}`} operator
     */
    async approveOperator(symbol, owner, operator) {
      const hash = await createWalletClient({ account: owner, transport: http(found.rpcUrl) }).writeContract({
        chain: null,
        address: this.collection(symbol).address,
        abi: nftAbi,
        functionName: 'setApprovalForAll',
        args: [operator, true],
      })
      await receiptOf(client, hash)
    },
    /**
     * @param {string} symbol
     * @param {`0x${string}`} owner
     * @param {`0x${string}`} operator
     * @returns {Promise<boolean>} whether it may move every NFT of the collection
     */
    isOperator(symbol, owner, operator) {
      const { address } = this.collection(symbol)
      const args = /** @type {const} */ ([owner, operator])
      return client.readContract({ address, abi: nftAbi, functionName: 'isApprovedForAll', args })
    },
    /** Routers, the most used first. */
    routers: (found.venues ?? []).map(({ router }) => router),
    /**
     * Replaces the newest blocks by empty ones, and adds another: a reorganisation.
     *
     * @param {number} depth how many
     */
    async reorganise(depth) {
      await client.request(/** @type {any} */ ({ method: 'anvil_reorg', params: [depth, []] }))
      await client.request(/** @type {any} */ ({ method: 'evm_mine', params: [] }))
    },
    /**
     * Mines nothing while a task runs, so that transactions wait.
     *
     * @param {(mine: () => Promise<void>) => Promise<void>} task it may mine what waits
     */
    async withoutBlocks(task) {
      const request = (/** @type {string} */ method, /** @type {unknown[]} */ params) =>
        client.request(/** @type {any} */ ({ method, params }))
      await request('evm_setAutomine', [false])
      try {
        await task(async () => void (await request('evm_mine', [])))
      } finally {
        await request('evm_mine', [])
        await request('evm_setAutomine', [true])
      }
    },
    /** @param {string} symbol */
    collection(symbol) {
      const collection = found.nfts.find((candidate) => candidate.symbol === symbol)
      if (!collection) throw new Error(`chain ${chainId} has no collection ${symbol}`)
      return collection
    },
    /**
     * @param {string} symbol
     * @param {bigint} tokenId
     * @returns {Promise<`0x${string}`>}
     */
    nftOwner(symbol, tokenId) {
      const { address } = this.collection(symbol)
      return client.readContract({ address, abi: nftAbi, functionName: 'ownerOf', args: [tokenId] })
    },
    /**
     * @param {string} symbol
     * @param {bigint} tokenId
     * @param {`0x${string}`} owner
     * @returns {Promise<bigint>} how many
     */
    nftCount(symbol, tokenId, owner) {
      const { address } = this.collection(symbol)
      return client.readContract({ address, abi: nftAbi, functionName: 'balanceOf', args: [owner, tokenId] })
    },
  }
}

/**
 * Returns another address with the first and the last four digits of one, as an attacker searches for a key of one.
 *
 * @param {`0x${string}`} address
 * @returns {`0x${string}`}
 */
export function lookAlikeOf(address) {
  return getAddress(`${address.slice(0, 6)}${freshAddress().slice(6, -4)}${address.slice(-4)}`.toLowerCase())
}

/** Returns an unused address, so that its balance comes from the journey only. */
export function freshAddress() {
  return privateKeyToAddress(generatePrivateKey())
}
