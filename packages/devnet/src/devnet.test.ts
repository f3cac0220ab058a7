import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPublicClient, erc20Abi, http, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { accounts, farcasterUsers, treasury } from './accounts.mjs'
import { startAnvil } from './anvil.mjs'
import { type Devnet, startDevnet } from './devnet.mjs'

const aggregatorV3 = parseAbi([
  'function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)',
])
const nftAbi = parseAbi([
  'function ownerOf(uint256) view returns (address)',
  'function balanceOf(address, uint256) view returns (uint256)',
])
const holder = address(0)

describe('the local chains', () => {
  let devnet: Devnet
  const startedAt = BigInt(Math.floor(Date.now() / 1000))
  beforeAll(async () => {
    devnet = await startDevnet()
  }, 30_000)
  afterAll(() => devnet.stop())

  it('are 31337 and 31338, each with its own node', async () => {
    expect(devnet.chains.map((chain) => chain.caip2)).toEqual(['eip155:31337', 'eip155:31338'])
    await expect(client(devnet, 0).getChainId()).resolves.toBe(31337)
    await expect(client(devnet, 1).getChainId()).resolves.toBe(31338)
  })

  it.each([
    ['tUSD', 1_000_000_000_001n],
    ['WIDE', 1_234567890123456789012345678901234567n],
    ['HUGE', 2n ** 128n + 1n],
    ['tUSDT', 5_000_000_123n],
  ])('hold an exact balance of %s', async (symbol, units) => {
    const { address } = token(devnet, symbol)
    const read = { address, abi: erc20Abi, functionName: 'balanceOf', args: [holder] } as const
    await expect(client(devnet, 0).readContract(read)).resolves.toBe(units)
  })

  it('list tokens with the decimals their contracts report', async () => {
    for (const { address, decimals } of devnet.chains[0]?.tokens ?? []) {
      const read = { address, abi: erc20Abi, functionName: 'decimals' } as const
      await expect(client(devnet, 0).readContract(read)).resolves.toBe(decimals)
    }
  })

  it('hold NFTs whose owners and quantities are those of their description', async () => {
    const collections = devnet.chains[0]?.nfts ?? []
    expect(collections.map(({ symbol, standard }) => [symbol, standard])).toEqual([
      ['ANCHOR', 'erc721'],
      ['MOOR', 'erc1155'],
      ['CLAIM', 'erc721'],
    ])
    for (const { address, standard, tokens } of collections) {
      for (const { tokenId, holder, quantity } of tokens) {
        const id = BigInt(tokenId)
        if (standard === 'erc721') {
          const read = { address, abi: nftAbi, functionName: 'ownerOf', args: [id] } as const
          await expect(client(devnet, 0).readContract(read)).resolves.toBe(holder)
        } else {
          const read = { address, abi: nftAbi, functionName: 'balanceOf', args: [holder, id] } as const
          await expect(client(devnet, 0).readContract(read)).resolves.toBe(BigInt(quantity))
        }
      }
    }
  })

  it('hold an account with one wei more than one ether', async () => {
    await expect(client(devnet, 0).getBalance({ address: address(5) })).resolves.toBe(
      1_000_000_000_000_000_001n,
    )
  })

  it('give every token that has a price to the treasury, and ether on each chain', async () => {
    const { manifest, chains } = devnet
    expect(manifest.treasury).toEqual({ address: treasury.address, path: "m/44'/60'/0'/3/0" })
    for (const [index, { feeds }] of chains.entries()) {
      await expect(client(devnet, index).getBalance(treasury)).resolves.toBe(10_000n * 10n ** 18n)
      const priced = feeds.flatMap((feed) => feed.token ?? [])
      expect(priced.length).toBeGreaterThan(1)
      for (const address of priced) {
        const read = { address, abi: erc20Abi, functionName: 'balanceOf', args: [treasury.address] } as const
        await expect(client(devnet, index).readContract(read)).resolves.toBeGreaterThan(0n)
      }
    }
  })

  it.each(['RVRT', 'BURN'])('have a token %s whose balance cannot be read', async (symbol) => {
    const { address } = token(devnet, symbol)
    const read = { address, abi: erc20Abi, functionName: 'balanceOf', args: [holder] } as const
    await expect(client(devnet, 0).readContract(read)).rejects.toThrow()
  })

  it('answer prices in the shape of Chainlink, as fresh as the block', async () => {
    const feed = devnet.chains[0]?.feeds.find(({ pair }) => pair === 'ETH / USD')
    const read = {
      address: feed?.address ?? '0x',
      abi: aggregatorV3,
      functionName: 'latestRoundData',
    } as const
    const [round, answer, , updatedAt] = await client(devnet, 0).readContract(read)
    const { timestamp } = await client(devnet, 0).getBlock()
    expect([round, answer]).toEqual([1n, 3_125_42000000n])
    expect(updatedAt).toBeGreaterThanOrEqual(timestamp)
    expect(timestamp).toBeGreaterThanOrEqual(startedAt)
  })

  it('have Multicall3 at its canonical address, which tolerates a broken token', async () => {
    const contracts = ['tUSD', 'RVRT', 'tUSDT'].map((symbol) => ({
      address: token(devnet, symbol).address,
      abi: erc20Abi,
      functionName: 'balanceOf' as const,
      args: [holder] as const,
    }))
    const multicallAddress = '0xcA11bde05977b3631167028862bE2a173976CA11'
    const answers = await client(devnet, 0).multicall({ contracts, multicallAddress })
    expect(answers.map(({ result }) => result)).toEqual([1_000_000_000_001n, undefined, 5_000_000_123n])
  })

  it("have Farcaster's registries at their addresses, with the ids of test users", async () => {
    const abi = parseAbi([
      'function idOf(address) view returns (uint256)',
      'function keyDataOf(uint256, bytes) view returns (uint8, uint32)',
    ])
    for (const index of [0, 1]) {
      const ids = {
        address: '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b',
        abi,
        functionName: 'idOf',
      } as const
      const owners = [...farcasterUsers.map((user) => user.address), holder]
      const found = owners.map((owner) => client(devnet, index).readContract({ ...ids, args: [owner] }))
      expect(await Promise.all(found)).toEqual([1001n, 1002n, 1003n, 0n])
      const key = client(devnet, index).readContract({
        address: '0x00000000Fc1237824fb747aBDE0FF18990E59b7e',
        abi,
        functionName: 'keyDataOf',
        args: [1001n, holder],
      })
      expect(await key).toEqual([0, 0])
    }
  })

  it('have EntryPoints at the addresses of public chains', () => {
    for (const { smartAccounts } of devnet.chains) {
      expect(smartAccounts.entryPoint07).toBe('0x0000000071727De22E5E9d8BAf0edAc6f37da032')
      expect(smartAccounts.entryPoint08).toBe('0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108')
    }
  })

  it('have the contracts of smart accounts, which use EntryPoint v0.7', async () => {
    const abi = parseAbi(['function entryPoint() view returns (address)'])
    for (const [index, { smartAccounts }] of devnet.chains.entries()) {
      const { entryPoint07, enforcers, ...others } = smartAccounts
      for (const address of [entryPoint07, ...Object.values(others), ...Object.values(enforcers)]) {
        expect(await client(devnet, index).getCode({ address }), address).toBeDefined()
      }
      for (const address of [smartAccounts.delegate, smartAccounts.hybrid, smartAccounts.paymaster]) {
        const read = { address, abi, functionName: 'entryPoint' } as const
        await expect(client(devnet, index).readContract(read)).resolves.toBe(entryPoint07)
      }
    }
  })

  it('give the paymaster a deposit', async () => {
    const abi = parseAbi(['function getDeposit() view returns (uint256)'])
    for (const [index, { smartAccounts }] of devnet.chains.entries()) {
      const read = { address: smartAccounts.paymaster, abi, functionName: 'getDeposit' } as const
      await expect(client(devnet, index).readContract(read)).resolves.toBe(100n * 10n ** 18n)
    }
  })
})

describe('local chains with a directory', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hawser-devnet-test-'))
  const told: string[] = []
  let devnet: Devnet | undefined
  const start = async () => {
    devnet = await startDevnet({ directory, chainIds: [31338], tell: (line) => told.push(line) })
    return devnet
  }
  afterEach(async () => {
    await devnet?.stop()
    told.length = 0
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  it('continue from their state and deploy nothing again', async () => {
    const first = await start()
    const height = await client(first, 0).getBlockNumber()
    const contracts = first.chains[0]?.contracts
    await first.stop()

    const second = await start()
    expect(second.chains[0]?.contracts).toEqual(contracts)
    await expect(client(second, 0).getBlockNumber()).resolves.toBe(height)
    expect(told).toEqual([])
  }, 30_000)

  it('are kept even by a node that is stopped as soon as it accepts calls', async () => {
    const log = join(directory, 'early.log')
    for (let round = 0; round < 10; round++) {
      const state = join(directory, `early-${round}.json`)
      const node = await startAnvil({ chainId: 31338, port: 0, log, state })
      await node.child.stop()
      expect(existsSync(state)).toBe(true)
    }
  }, 30_000)

  it('start fresh and say so when the kept state is damaged', async () => {
    await (await start()).stop()
    writeFileSync(join(directory, 'devnet', '31338.json'), '{"block":')

    const fresh = await start()
    const { address } = token(fresh, 'tEUR')
    const read = { address, abi: erc20Abi, functionName: 'balanceOf', args: [holder] } as const
    await expect(client(fresh, 0).readContract(read)).resolves.toBe(12_500_000_000_000_000_000n)
    expect(told).toEqual([expect.stringMatching(/^The kept state of chain 31338 is damaged/)])
  }, 30_000)
})

function client(devnet: Devnet, index: number) {
  return createPublicClient({ transport: http(devnet.chains[index]?.rpcUrl, { retryCount: 0 }) })
}

function token(devnet: Devnet, symbol: string) {
  const found = devnet.chains[0]?.tokens.find((candidate) => candidate.symbol === symbol)
  if (!found) throw new Error(`no token ${symbol}`)
  return found
}

function address(index: number) {
  const account = accounts[index]
  if (!account) throw new Error(`no account ${index}`)
  return account.address
}
