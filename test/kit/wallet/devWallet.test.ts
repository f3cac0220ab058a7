import { devWallet } from '@hawser/connectors'
import { type Devnet, startDevnet } from '@hawser/devnet'
import { receiptOf } from '@hawser/devnet/receipt'
import { createPublicClient, encodeFunctionData, erc20Abi, type Hex, http, maxUint256, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const router = parseAbi([
  'function swapExactTokensForETH(uint256 sold, uint256 least, address[] path, address to, uint256 deadline)',
])

interface Wallet {
  request(request: { method: string; params?: readonly unknown[] }): Promise<unknown>
}

let devnet: Devnet
let wallet: Wallet
let owner: Hex
beforeAll(async () => {
  devnet = await startDevnet({ chainIds: [31337] })
  const [account] = devnet.manifest.accounts
  owner = account?.address ?? '0x'
  wallet = await providerOf({
    ...(account && { privateKey: account.privateKey }),
    rpcUrls: { 31337: chain().rpcUrl },
    batchAccounts: { 31337: contract('BatchAccount') },
  })
  await wallet.request({ method: 'eth_requestAccounts' })
}, 30_000)
afterAll(() => devnet.stop())

describe('the dev wallet on a real chain', () => {
  it('approves and swaps at once, and leaves no allowance behind', async () => {
    const sold = 1_000_000_000n
    const exchange = contract('Uniswap V2Router')
    const least = 300_000_000_000_000_000n
    const { status } = await carriedOut(approval(exchange, sold), swap(exchange, sold, least))
    expect(status).toBe(200)
    await expect(allowance(exchange)).resolves.toBe(0n)
  })

  it('approves nothing when the swap would fail', async () => {
    const exchange = contract('Harbour V2Router')
    const calls = [approval(exchange, 1_000_000n), swap(exchange, 1_000_000n, maxUint256)]
    await expect(carriedOut(...calls)).rejects.toThrow('INSUFFICIENT_OUTPUT_AMOUNT')
    await expect(allowance(exchange)).resolves.toBe(0n)
  })
})

function approval(spender: Hex, units: bigint) {
  return {
    to: token('tUSD'),
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, units] }),
  }
}

function swap(exchange: Hex, sold: bigint, least: bigint) {
  const args = [sold, least, [token('tUSD'), token('WETH')], owner, maxUint256] as const
  return {
    to: exchange,
    data: encodeFunctionData({ abi: router, functionName: 'swapExactTokensForETH', args }),
  }
}

/** Sends the calls as a batch, and returns its status. */
async function carriedOut(...calls: { to: Hex; data: Hex }[]) {
  const batch = { version: '2.0.0', from: owner, chainId: '0x7a69', atomicRequired: true, calls }
  const { id } = (await wallet.request({ method: 'wallet_sendCalls', params: [batch] })) as { id: Hex }
  await receiptOf(createPublicClient({ transport: http(chain().rpcUrl) }), id)
  return (await wallet.request({ method: 'wallet_getCallsStatus', params: [id] })) as { status: number }
}

function allowance(spender: Hex) {
  const client = createPublicClient({ transport: http(chain().rpcUrl) })
  const read = { address: token('tUSD'), abi: erc20Abi, functionName: 'allowance' } as const
  return client.readContract({ ...read, args: [owner, spender] })
}

function chain() {
  const [found] = devnet.chains
  if (!found) throw new Error('no chain')
  return found
}

function contract(id: string) {
  return chain().contracts[id] ?? '0x'
}

function token(symbol: string) {
  return chain().tokens.find((candidate) => candidate.symbol === symbol)?.address ?? '0x'
}

/** Returns the provider of the wallet as a page receives it. */
async function providerOf(options: Parameters<typeof devWallet>[0]): Promise<Wallet> {
  const offered: { getProvider(): Promise<unknown> }[] = []
  const context = { add: (listing: (typeof offered)[number]) => offered.push(listing), remove: () => {} }
  devWallet(options)(context as never)
  return (await offered[0]?.getProvider()) as Wallet
}
