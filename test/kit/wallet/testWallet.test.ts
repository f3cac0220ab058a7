import { type Devnet, startDevnet } from '@hawser/devnet'
import { type Artifact, compileContracts } from '@hawser/devnet/compile'
import {
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  hashMessage,
  hashTypedData,
  http,
  recoverAddress,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { callNode } from './chains.mjs'
import { TestWallet } from './testWallet.mjs'

const page = 'http://shop.test'
const elsewhere = 'http://other.test'

let devnet: Devnet
let wallet: TestWallet
let events: [string | undefined, string, unknown][]

beforeAll(async () => {
  devnet = await startDevnet()
}, 30_000)
afterAll(() => devnet.stop())

beforeEach(() => {
  const privateKeys = devnet.manifest.accounts.slice(0, 2).map((account) => account.privateKey)
  wallet = new TestWallet({ privateKeys, chains: devnet.chains.slice(0, 1) })
  events = []
  wallet.onEvent((...event) => events.push(event))
})

describe('accounts', () => {
  it('are hidden until the page was granted them', async () => {
    expect(await ask('eth_accounts')).toEqual([])
    expect(await ask('eth_requestAccounts')).toEqual([wallet.address])
    expect(await ask('eth_accounts')).toEqual([wallet.address])
  })

  it('stay hidden from other origins', async () => {
    await ask('eth_requestAccounts')
    expect(await wallet.request(elsewhere, { method: 'eth_accounts' })).toEqual([])
  })

  it('stay hidden when the person declines, and are shown at the next attempt', async () => {
    wallet.approvals.rejectNext()
    await expect(ask('eth_requestAccounts')).rejects.toMatchObject({ code: 4001 })
    expect(await ask('eth_accounts')).toEqual([])
    expect(await ask('eth_requestAccounts')).toEqual([wallet.address])
  })

  it('are hidden again after the page gave its permission back', async () => {
    await ask('wallet_requestPermissions', [{ eth_accounts: {} }])
    await ask('wallet_revokePermissions', [{ eth_accounts: {} }])
    expect(await ask('eth_accounts')).toEqual([])
    expect(events.at(-1)).toEqual([page, 'accountsChanged', []])
  })

  it('are hidden while the wallet is locked', async () => {
    await ask('eth_requestAccounts')
    wallet.lock()
    expect(await ask('eth_accounts')).toEqual([])
    wallet.unlock()
    expect(events.slice(-2)).toEqual([
      [page, 'accountsChanged', []],
      [page, 'accountsChanged', [wallet.address]],
    ])
  })

  it('change for the page when the person chooses another', async () => {
    await ask('eth_requestAccounts')
    wallet.switchAccount(1)
    expect(events.at(-1)).toEqual([page, 'accountsChanged', [devnet.manifest.accounts[1]?.address]])
  })

  it('wait for a prompt that is left open', async () => {
    const prompt = wallet.approvals.holdNext()
    const answer = ask('eth_requestAccounts')
    await prompt.opened
    prompt.approve()
    await expect(answer).resolves.toEqual([wallet.address])
  })
})

describe('networks', () => {
  const two = () => ({ chainId: toHex(31338), chainName: 'Devnet Two', rpcUrls: [devnet.chains[1]?.rpcUrl] })

  it('unknown to the wallet answer 4902', async () => {
    await expect(ask('wallet_switchEthereumChain', [{ chainId: toHex(31338) }])).rejects.toMatchObject({
      code: 4902,
    })
  })

  it('are active once added', async () => {
    await expect(ask('wallet_addEthereumChain', [two()])).resolves.toBeNull()
    expect(await ask('eth_chainId')).toBe('0x7a6a')
    expect(events).toEqual([[undefined, 'chainChanged', '0x7a6a']])
  })

  it('are refused when their node serves another chain', async () => {
    const wrong = { ...two(), rpcUrls: [devnet.chains[0]?.rpcUrl] }
    await expect(ask('wallet_addEthereumChain', [wrong])).rejects.toMatchObject({ code: -32602 })
  })

  it('stay when the person declines the switch', async () => {
    await ask('wallet_addEthereumChain', [two()])
    wallet.approvals.rejectNext()
    await expect(ask('wallet_switchEthereumChain', [{ chainId: toHex(31337) }])).rejects.toMatchObject({
      code: 4001,
    })
    expect(await ask('eth_chainId')).toBe('0x7a6a')
  })
})

describe('signing', () => {
  it('signs a message as EIP-191 says', async () => {
    await ask('eth_requestAccounts')
    const signature = (await ask('personal_sign', [toHex('ahoy'), wallet.address])) as `0x${string}`
    expect(await recoverAddress({ hash: hashMessage('ahoy'), signature })).toBe(wallet.address)
  })

  it('signs typed data as EIP-712 says', async () => {
    await ask('eth_requestAccounts')
    const domainType = [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ] as const
    const data = {
      domain: { name: 'Hawser', chainId: 31337 },
      types: { EIP712Domain: domainType, Rope: [{ name: 'length', type: 'uint256' }] },
      primaryType: 'Rope',
      message: { length: '40' },
    } as const
    const asked = ask('eth_signTypedData_v4', [wallet.address, JSON.stringify(data)])
    const hash = hashTypedData({ ...data, types: { Rope: data.types.Rope }, message: { length: 40n } })
    expect(await recoverAddress({ hash, signature: (await asked) as `0x${string}` })).toBe(wallet.address)
  })

  it('signs for a contract with the key of its owner (ERC-1271), and sends nothing for it', async () => {
    const [chain] = devnet.chains
    const [owner] = wallet.accounts
    if (!chain || !owner) throw new Error('there is no chain')
    const { abi, bytecode } = compileContracts().OwnedAccount as Artifact
    const transport = http(chain.rpcUrl)
    const deployer = createWalletClient({ account: privateKeyToAccount(owner.privateKey), transport })
    const reader = createPublicClient({ transport, pollingInterval: 50 })
    const hash = await deployer.deployContract({ abi, bytecode, args: [owner.address], chain: null })
    const { contractAddress } = await vi.waitFor(() => reader.getTransactionReceipt({ hash }))
    const contract = contractAddress as `0x${string}`
    const privateKeys = wallet.accounts.map(({ privateKey }) => privateKey)
    wallet = new TestWallet({ privateKeys, chains: devnet.chains.slice(0, 1), contract })

    expect(await ask('eth_requestAccounts')).toEqual([contract])
    const signature = (await ask('personal_sign', [toHex('ahoy'), contract])) as `0x${string}`
    const ask1271 = (hash: `0x${string}`) =>
      reader.readContract({
        address: contract,
        abi,
        functionName: 'isValidSignature',
        args: [hash, signature],
      })
    expect(await ask1271(hashMessage('ahoy'))).toBe('0x1626ba7e')
    expect(await ask1271(hashMessage('avast'))).toBe('0xffffffff')
    const sending = ask('eth_sendTransaction', [{ from: contract, to: contract, value: '0x0' }])
    await expect(sending).rejects.toMatchObject({ code: 4200 })
  })

  it('refuses a page that was granted nothing', async () => {
    await expect(ask('personal_sign', ['0x00', wallet.address])).rejects.toMatchObject({ code: 4100 })
  })
})

describe('transactions', () => {
  const to = '0x00000000000000000000000000000000000000aa'

  it('move the exact amount', async () => {
    await ask('eth_requestAccounts')
    const value = toHex(1_000_000_000_000_000_001n)
    const hash = await ask('eth_sendTransaction', [{ from: wallet.address, to, value, data: '0x' }])
    await expect.poll(() => node('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
    expect(BigInt(await node('eth_getBalance', [to, 'latest']))).toBe(1_000_000_000_000_000_001n)
  })

  it('are not sent when the person declines', async () => {
    await ask('eth_requestAccounts')
    const before = await node('eth_getTransactionCount', [wallet.address, 'latest'])
    wallet.approvals.rejectNext()
    await expect(ask('eth_sendTransaction', [{ from: wallet.address, to }])).rejects.toMatchObject({
      code: 4001,
    })
    expect(await node('eth_getTransactionCount', [wallet.address, 'latest'])).toBe(before)
  })

  it('are refused from an account that is not the active one', async () => {
    await ask('eth_requestAccounts')
    await expect(ask('eth_sendTransaction', [{ from: to, to }])).rejects.toMatchObject({ code: 4100 })
  })
})

describe('batches', () => {
  const to = '0x00000000000000000000000000000000000000bb'
  const asked = ['wallet_getCapabilities', 'wallet_sendCalls', 'wallet_getCallsStatus']

  it.each(asked)('%s is unknown to a wallet without them', async (method) => {
    await expect(ask(method, [wallet.address])).rejects.toMatchObject({ code: 4200 })
  })

  describe('of a wallet that sends them', () => {
    const tUSD = () => devnet.chains[0]?.tokens.find(({ symbol }) => symbol === 'tUSD')?.address ?? '0x'
    const transfer = (units: bigint) => ({
      to: tUSD(),
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, units] }),
    })
    const batchOf = (...calls: object[]) => [
      { version: '2.0.0', from: wallet.address, chainId: toHex(31337), atomicRequired: true, calls },
    ]
    const tokens = async () => {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [to] })
      return BigInt(await node('eth_call', [{ to: tUSD(), data }, 'latest']))
    }
    const ether = async () => BigInt(await node('eth_getBalance', [to, 'latest']))

    beforeEach(async () => {
      const privateKeys = devnet.manifest.accounts.slice(0, 2).map((account) => account.privateKey)
      const delegate = devnet.chains[0]?.contracts.BatchAccount ?? '0x'
      const batches = { status: 'supported', accounts: { 31337: delegate } } as const
      wallet = new TestWallet({ privateKeys, chains: devnet.chains, batches })
      await ask('eth_requestAccounts')
    })

    it('are announced for the chains on which they work', async () => {
      const atomic = { '0x7a69': { atomic: { status: 'supported' } } }
      expect(await ask('wallet_getCapabilities', [wallet.address])).toEqual(atomic)
      expect(await ask('wallet_getCapabilities', [wallet.address, ['0x7a69', '0x7a6a']])).toEqual(atomic)
      expect(await ask('wallet_getCapabilities', [wallet.address, ['0x7a6a']])).toEqual({})
    })

    it('make every call in one transaction, again and again', async () => {
      for (const round of [1n, 2n]) {
        const before = BigInt(await node('eth_getTransactionCount', [wallet.address, 'latest']))
        const batch = batchOf(transfer(3n), transfer(4n), { to, value: '0x5' })
        const { id } = (await ask('wallet_sendCalls', batch)) as { id: string }
        await expect
          .poll(() => ask('wallet_getCallsStatus', [id]))
          .toMatchObject({
            version: '2.0.0',
            id,
            chainId: '0x7a69',
            status: 200,
            atomic: true,
            receipts: [{ status: '0x1', transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) }],
          })
        expect([await tokens(), await ether()]).toEqual([7n * round, 5n * round])
        const after = BigInt(await node('eth_getTransactionCount', [wallet.address, 'latest']))
        // The first batch also sets the account's code, which uses one more nonce.
        expect(after - before).toBe(round === 1n ? 2n : 1n)
      }
    })

    it('make no call when one of them fails', async () => {
      const before = await tokens()
      const batch = batchOf(transfer(1n), transfer(2n ** 255n))
      await expect(ask('wallet_sendCalls', batch)).rejects.toThrow(/balance too low/)
      expect(await tokens()).toBe(before)
    })

    it('are not sent when the person declines', async () => {
      const before = await tokens()
      wallet.approvals.rejectNext()
      await expect(ask('wallet_sendCalls', batchOf(transfer(1n)))).rejects.toMatchObject({ code: 4001 })
      expect(await tokens()).toBe(before)
    })

    it.each([
      ['on a chain without them', { chainId: '0x7a6a' }, 5710],
      ['of another version', { version: '1.0' }, -32602],
      ['without a call', { calls: [] }, -32602],
      ['that need what the wallet does not have', { capabilities: { paymasterService: {} } }, 5700],
      ['from another account', { from: to }, 4100],
    ])('are refused %s', async (_, change, code) => {
      const [batch] = batchOf(transfer(1n))
      await expect(ask('wallet_sendCalls', [{ ...batch, ...change }])).rejects.toMatchObject({ code })
    })

    it('have a unique id whose status can be read afterwards', async () => {
      const [batch] = batchOf({ to, value: '0x0' })
      const id = `0x${'1d'.repeat(32)}`
      expect(await ask('wallet_sendCalls', [{ ...batch, id }])).toEqual({ id })
      await expect(ask('wallet_sendCalls', [{ ...batch, id }])).rejects.toMatchObject({ code: 5720 })
      await expect(ask('wallet_getCallsStatus', ['0xabcd'])).rejects.toMatchObject({ code: 5730 })
    })
  })
})

function ask(method: string, params?: unknown[]) {
  return wallet.request(page, { method, params })
}

function node(method: string, params: unknown[]) {
  return callNode(devnet.chains[0]?.rpcUrl ?? '', method, params)
}
