import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  BaseError,
  createPublicClient,
  createWalletClient,
  erc20Abi,
  http,
  keccak256,
  MethodNotFoundRpcError,
  parseAbiItem,
  parseEther,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { devnet, freshAddress } from '../kit/chain.mjs'
import { eventually } from '../kit/eventually.mjs'
import { site } from '../kit/site.mjs'

const transferEvent = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

const url = `${site.gatewayUrl}/v1/?chainId=eip155:${devnet.chainId}&projectId=${site.projectId}`

/** A client of the gateway that assumes that nodes keep filters. */
const client = createPublicClient({
  transport: http(url),
  pollingInterval: 100,
})

test('clients that create filters fall back to requesting logs', async () => {
  /** @type {unknown[]} */
  const events = []
  /** @type {unknown[]} */
  const contractEvents = []
  /** @type {Error[]} */
  const errors = []
  const address = /** @type {`0x${string}`} */ (devnet.token('tUSD').address)
  const onError = (/** @type {Error} */ error) => errors.push(error)
  const stops = [
    client.watchEvent({ address, event: transferEvent, onLogs: (logs) => events.push(...logs), onError }),
    client.watchContractEvent({
      address,
      abi: erc20Abi,
      eventName: 'Transfer',
      onLogs: (logs) => contractEvents.push(...logs),
      onError,
    }),
  ]
  try {
    await eventually(async () => {
      await move(address)
      assert.ok(events.length > 0, 'watchEvent told nothing')
      assert.ok(contractEvents.length > 0, 'watchContractEvent told nothing')
    }, 10_000)
  } finally {
    for (const stop of stops) stop()
  }
  assert.deepEqual(errors, [])
})

test('a raw transaction is sent and its receipt returned in one call', async () => {
  const account = privateKeyToAccount(generatePrivateKey())
  await devnet.setBalance(account.address, parseEther('1'))
  const wallet = createWalletClient({ account, chain: foundry, transport: http(url) })
  const to = freshAddress()
  const receipt = await wallet.sendTransactionSync({ to, value: 3n })
  assert.equal(receipt.status, 'success')
  assert.equal(await client.getBalance({ address: to }), 3n)
  await devnet.withoutBlocks(async () => {
    const request = await wallet.prepareTransactionRequest({ to, value: 4n })
    const serializedTransaction = await wallet.signTransaction(request)
    await assert.rejects(wallet.sendRawTransactionSync({ serializedTransaction, timeout: 500 }), (error) => {
      assert.ok(error instanceof BaseError)
      const { code, data } = /** @type {any} */ (error.walk((cause) => 'code' in Object(cause)))
      assert.deepEqual({ code, data }, { code: 4, data: keccak256(serializedTransaction) })
      return true
    })
  })
})

test('viem does without what the gateway does not serve', async () => {
  await assert.rejects(client.createBlockFilter(), MethodNotFoundRpcError)
  await assert.rejects(
    client.request(/** @type {any} */ ({ method: 'eth_fillTransaction', params: [{}] })),
    MethodNotFoundRpcError,
  )
  /** @type {bigint[]} */
  const blocks = []
  const stop = client.watchBlockNumber({ onBlockNumber: (number) => blocks.push(number), emitOnBegin: true })
  try {
    await eventually(() => assert.ok(blocks.length > 0))
  } finally {
    stop()
  }
})

/**
 * Sends one unit of a token without the product.
 *
 * @param {`0x${string}`} address of the token
 */
async function move(address) {
  const [holder] = site.devnet.accounts
  assert.ok(holder)
  const wallet = createWalletClient({
    account: privateKeyToAccount(holder.privateKey),
    transport: http(devnet.rpcUrl),
  })
  await wallet.writeContract({
    address,
    abi: erc20Abi,
    functionName: 'transfer',
    args: ['0x00000000000000000000000000000000000a11ce', 1n],
    chain: null,
  })
}
