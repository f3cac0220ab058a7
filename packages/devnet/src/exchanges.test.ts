import {
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  maxUint256,
  parseAbi,
  parseEther,
  parseSignature,
  publicActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts } from './accounts.mjs'
import { type Devnet, startDevnet } from './devnet.mjs'
import type { ChainManifest } from './manifest.mjs'
import { receiptOf } from './receipt.mjs'

const pairs = parseAbi([
  'function getPair(address, address) view returns (address)',
  'function getReserves() view returns (uint112, uint112, uint32)',
])
const pools = parseAbi([
  'function getPool(address, address, uint24) view returns (address)',
  'function liquidity() view returns (uint128)',
  'struct Question { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96 }',
  'function quoteExactInputSingle(Question) view returns (uint256 out, uint160, uint32 ticksCrossed, uint256)',
])
const router = parseAbi([
  'function getAmountsOut(uint256, address[]) view returns (uint256[])',
  'function swapExactETHForTokens(uint256, address[], address, uint256) payable returns (uint256[])',
  'function swapExactTokensForTokens(uint256, uint256, address[], address, uint256) returns (uint256[])',
])
const permits = parseAbi(['function permit(address, address, uint256, uint256, uint8, bytes32, bytes32)'])

const holder = privateKeyToAccount(accounts[2]?.privateKey ?? '0x')
const someone = '0x00000000000000000000000000000000000000A1'
const whenever = maxUint256
const feedPrice = 3125.42

let devnet: Devnet
let chain: ChainManifest
let client: ReturnType<typeof clientOf>
beforeAll(async () => {
  devnet = await startDevnet()
  chain = devnet.chains[0] as ChainManifest
  client = clientOf(chain)
}, 30_000)
afterAll(() => devnet.stop())

describe('exchanges', () => {
  it('are on the first chain, each with a router and its factories, and not on the second', async () => {
    expect(chain.venues?.map(({ name, kind }) => [name, kind])).toEqual([
      ['Uniswap', 'swap-router-02'],
      ['Harbour Exchange', 'v2-router'],
      ['Beacon Exchange', 'v3-router'],
      ['Lagoon Exchange', 'algebra-router'],
    ])
    for (const { router, v2, v3, algebra } of chain.venues ?? []) {
      for (const address of [router, v2?.factory, v3?.factory, v3?.quoter, algebra?.factory]) {
        if (address) expect((await client.getCode({ address }))?.length).toBeGreaterThan(2)
      }
    }
    expect(chain.wrapped).toBe(token('WETH'))
    expect(devnet.chains[1]).not.toHaveProperty('venues')
  })

  it.each(['Uniswap', 'Harbour Exchange'])('of %s have v2 pools at the price of the feed', async (name) => {
    const [ether, dollars] = await reservesOf(name, 'WETH', 'tUSD')
    expect(relativeTo(feedPrice, (Number(dollars) / Number(ether)) * 1e12)).toBeLessThan(0.003)
  })

  it.each([
    ['Uniswap', 500, 'WETH', 3125.42],
    ['Uniswap', 3000, 'WETH', 3125.42],
    ['Beacon Exchange', 500, 'WETH', 3125.42],
    ['Uniswap', 10000, 'WIDE', 2.5],
  ])('of %s have a v3 pool with a fee of %d at the price of %s', async (name, fee, symbol, price) => {
    const { out, ticksCrossed } = await quote(name, fee, whole(symbol), symbol)
    expect(relativeTo(price * (1 - fee / 1e6), Number(out) / 1e6)).toBeLessThan(0.003)
    expect(ticksCrossed).toBe(0)
  })

  it('have positions that a large trade moves out of range', async () => {
    const { out, ticksCrossed } = await quote('Uniswap', 500, parseEther('400'))
    expect(ticksCrossed).toBeGreaterThanOrEqual(2)
    expect(relativeTo(feedPrice, Number(out) / 1e6 / 400)).toBeGreaterThan(0.003)
  })

  it('have a thin pool in which what an account holds moves the price far', async () => {
    const path = [token('ANUNREASONABLYLONGTOKENSYMBOL'), token('WETH')]
    const paid = async (units: bigint) => {
      const read = { address: uniswapV2Router(), abi: router, functionName: 'getAmountsOut' } as const
      return Number((await client.readContract({ ...read, args: [units, path] })).at(-1))
    }
    const best = (await paid(10n ** 15n)) * 42_000
    expect((await paid(42n * 10n ** 18n)) / best).toBeLessThan(0.8)
  })

  it('have a pool that sells one of its tokens only', async () => {
    const pays = (units: bigint, sold: string, bought: string) =>
      quote('Uniswap', 500, units, sold, bought).then(
        ({ out }) => out > 0n,
        () => false,
      )
    const sides = await Promise.all([
      pays(whole('tDAI'), 'tDAI', 'tUSDT'),
      pays(whole('tUSDT'), 'tUSDT', 'tDAI'),
    ])
    expect(sides.filter(Boolean)).toHaveLength(1)
  })

  it('have pools without liquidity', async () => {
    expect(await reservesOf('Harbour Exchange', 'WETH', 'RVRT')).toEqual([0n, 0n])
    const address = await client.readContract({
      address: venue('Uniswap').v3?.factory ?? '0x',
      abi: pools,
      functionName: 'getPool',
      args: [token('WETH'), token('tUSDT'), 10000],
    })
    await expect(client.readContract({ address, abi: pools, functionName: 'liquidity' })).resolves.toBe(0n)
  })
})

describe('tokens that are hard to trade', () => {
  it('let an allowance be signed, once (EIP-2612)', async () => {
    const address = token('tGOLD')
    const { r, s, v } = parseSignature(await holder.signTypedData(permitOf(address, someone, 7n)))
    const args = [holder.address, someone, 7n, whenever, Number(v), r, s] as const
    const data = encodeFunctionData({ abi: permits, functionName: 'permit', args })
    await send(address, data)
    const read = { address, abi: erc20Abi, functionName: 'allowance' } as const
    await expect(client.readContract({ ...read, args: [holder.address, someone] })).resolves.toBe(7n)
    await expect(send(address, data)).rejects.toThrow("the permit is not the holder's")
  })

  it('keep a share of every transfer', async () => {
    const address = token('TAX')
    const transfer = { abi: erc20Abi, functionName: 'transfer', args: [someone, 1_000n] } as const
    await send(address, encodeFunctionData(transfer))
    const read = { address, abi: erc20Abi, functionName: 'balanceOf', args: [someone] } as const
    await expect(client.readContract(read)).resolves.toBe(990n)
  })

  it('are bought and cannot be sold', async () => {
    const exchange = uniswapV2Router()
    const [weth, trap] = [token('WETH'), token('TRAP')]
    const bought = [0n, [weth, trap], holder.address, whenever] as const
    const buy = { abi: router, functionName: 'swapExactETHForTokens', args: bought } as const
    await send(exchange, encodeFunctionData(buy), 10n ** 15n)
    const approve = { abi: erc20Abi, functionName: 'approve', args: [exchange, 1_000n] } as const
    await send(trap, encodeFunctionData(approve))
    const sold = [1_000n, 0n, [trap, weth], holder.address, whenever] as const
    const sell = { abi: router, functionName: 'swapExactTokensForTokens', args: sold } as const
    await expect(send(exchange, encodeFunctionData(sell))).rejects.toThrow('TRANSFER_FROM_FAILED')
  })
})

/** Reads, and sends as the holder. */
function clientOf({ rpcUrl }: ChainManifest) {
  const transport = http(rpcUrl, { retryCount: 0 })
  return createWalletClient({ account: holder, transport, pollingInterval: 20 }).extend(publicActions)
}

async function send(to: Hex, data: Hex, value = 0n) {
  const hash = await client.sendTransaction({ chain: null, to, data, value })
  const { status } = await receiptOf(client, hash)
  expect(status).toBe('success')
}

function token(symbol: string) {
  const found = chain.tokens.find((candidate) => candidate.symbol === symbol)
  if (!found) throw new Error(`no token ${symbol}`)
  return found.address
}

function venue(name: string) {
  const found = chain.venues?.find((candidate) => candidate.name === name)
  if (!found) throw new Error(`no venue ${name}`)
  return found
}

function uniswapV2Router() {
  return chain.contracts['Uniswap V2Router'] ?? '0x'
}

/** Returns what a venue's v2 pool holds of each of two tokens. */
async function reservesOf(name: string, a: string, b: string) {
  const tokens = [token(a), token(b)] as const
  const factory = { address: venue(name).v2?.factory ?? '0x', abi: pairs } as const
  const address = await client.readContract({ ...factory, functionName: 'getPair', args: tokens })
  const [reserve0, reserve1] = await client.readContract({ address, abi: pairs, functionName: 'getReserves' })
  return BigInt(tokens[0]) < BigInt(tokens[1]) ? [reserve0, reserve1] : [reserve1, reserve0]
}

/** Returns one whole token in base units. */
function whole(symbol: string) {
  const decimals = chain.tokens.find((candidate) => candidate.symbol === symbol)?.decimals ?? 0
  return 10n ** BigInt(decimals)
}

/** Returns what a venue's v3 pool pays for an amount. */
async function quote(name: string, fee: number, amountIn: bigint, sold = 'WETH', bought = 'tUSD') {
  const question = { tokenIn: token(sold), tokenOut: token(bought), amountIn, fee, sqrtPriceLimitX96: 0n }
  const address = venue(name).v3?.quoter ?? '0x'
  const read = { address, abi: pools, functionName: 'quoteExactInputSingle', args: [question] } as const
  const [out, , ticksCrossed] = await client.readContract(read)
  return { out, ticksCrossed }
}

/** Returns how far a price is from the expected one. */
function relativeTo(expected: number, price: number) {
  return Math.abs(price / expected - 1)
}

/** Signs a permit of the holder, which lets a spender have an amount of the token. */
function permitOf(verifyingContract: Hex, spender: Hex, value: bigint) {
  return {
    domain: { name: 'Test Gold', version: '1', chainId: chain.chainId, verifyingContract },
    types: {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'Permit',
    message: { owner: holder.address, spender, value, nonce: 0n, deadline: whenever },
  } as const
}
