import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPublicClient, createWalletClient, erc20Abi, http, parseAbiItem } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { devnet } from './harness/chain.mjs'
import { eventually } from './harness/eventually.mjs'
import { site } from './harness/site.mjs'

const transferEvent = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

/** A client of the gateway that assumes that nodes keep filters. */
const client = createPublicClient({
  transport: http(`${site.gatewayUrl}/v1/?chainId=eip155:${devnet.chainId}&projectId=${site.projectId}`),
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
