import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { devnet, freshAddress } from '../../kit/chain.mjs'
import { eventually } from '../../kit/eventually.mjs'
import { site } from '../../kit/site.mjs'

const { Contract, JsonRpcProvider, Transaction, Wallet } = createRequire(new URL('1.8.0/', import.meta.url))(
  'ethers',
)

const url = `${site.gatewayUrl}/v1/?chainId=${devnet.caip2}&projectId=${site.projectId}`
const abi = [
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'function transfer(address to, uint256 value) returns (bool)',
]

/**
 * Runs a test with a provider whose connections end with it.
 *
 * @param {(provider: any, signer: any) => Promise<void>} body
 */
async function withProvider(body) {
  const provider = new JsonRpcProvider(url, undefined, { cacheTimeout: -1 })
  provider.pollingInterval = 100
  try {
    await body(provider, new Wallet(site.devnet.accounts[0]?.privateKey ?? '', provider))
  } finally {
    provider.destroy()
  }
}

test('ethers hears each event once, though no filter is kept', { timeout: 60_000 }, () =>
  withProvider(async (_provider, signer) => {
    const token = new Contract(devnet.token('tUSD').address, abi, signer)
    const to = freshAddress()
    /** @type {bigint[]} */
    const heard = []
    await token.on(token.filters.Transfer(null, to), (/** @type {any} */ event) =>
      heard.push(event.args.value),
    )
    for (const value of [1n, 2n]) await (await token.transfer(to, value)).wait()
    await eventually(() => assert.deepEqual(heard, [1n, 2n]))
    await token.removeAllListeners()
  }),
)

test('ethers sends a raw transaction and has its receipt in one call', { timeout: 60_000 }, () =>
  withProvider(async (provider, signer) => {
    const to = freshAddress()
    const request = await signer.populateTransaction({ to, value: 7n })
    const raw = await signer.signTransaction(request)
    const receipt = await provider.send('eth_sendRawTransactionSync', [raw, 5_000])
    assert.equal(receipt.transactionHash, Transaction.from(raw).hash)
    assert.equal(receipt.status, '0x1')
  }),
)

test('ethers reads which method the gateway does not serve', { timeout: 60_000 }, () =>
  withProvider(async (provider) => {
    for (const method of ['eth_newFilter', 'txpool_content', 'trace_block', 'debug_traceBlockByNumber']) {
      const error = await provider.send(method, []).catch((/** @type {any} */ thrown) => thrown)
      const { code, message } = error.info?.error ?? error.error ?? error
      assert.equal(message, `the method ${method} does not exist/is not available`)
      assert.equal(code, -32601)
    }
  }),
)
