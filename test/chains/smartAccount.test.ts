import { type Devnet, startDevnet } from '@hawser/devnet'
import { compileContracts } from '@hawser/devnet/compile'
import { createSmartAccounts, minimumBalancesCode } from '@hawser/vault'
import { type Hex, numberToHex, parseEther, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clientOf, directBundler, signer } from './directBundler.ts'

const CHAIN = 'eip155:31337'
const RECEIVER = '0x00000000000000000000000000000000000000a1'

describe('smart accounts', () => {
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startDevnet({ chainIds: [31337] })
  }, 60_000)
  afterAll(() => devnet.stop())

  const client = () => clientOf(devnet)
  const node = (_: string, method: string, params: readonly unknown[]) =>
    client().request({ method, params } as never) as Promise<unknown>

  let secret: Hex
  let account: Hex
  beforeEach(async () => {
    secret = generatePrivateKey()
    account = privateKeyToAccount(secret).address
    await client().request({
      method: 'anvil_setBalance',
      params: [account, numberToHex(parseEther('1'))],
    } as never)
  })
  it('delegate with the first operation and send all calls of a batch', async () => {
    const { bundler, sent } = directBundler(devnet)
    const accounts = createSmartAccounts({ bundler, node })
    const before = await client().getBalance({ address: RECEIVER })
    await expect(accounts.isDelegated(CHAIN, account)).resolves.toBe(false)

    const calls = [1n, 2n].map((value) => ({ to: RECEIVER, value, data: '0x' }) as const)
    const prepared = await accounts.prepare(CHAIN, account, calls)
    expect(prepared.delegate).toBe(devnet.chains[0]?.smartAccounts.delegate)
    expect(prepared.maxFee).toBeGreaterThan(0n)
    await expect(accounts.send(prepared, signer(secret), 'order 7')).resolves.toBe('order 7')

    await expect(accounts.isDelegated(CHAIN, account)).resolves.toBe(true)
    await expect(client().getBalance({ address: RECEIVER })).resolves.toBe(before + 3n)

    const again = await accounts.prepare(CHAIN, account, [{ to: RECEIVER, value: 4n, data: '0x' }])
    expect(again.delegate).toBeUndefined()
    await accounts.send(again, signer(secret))
    expect(sent[1]?.eip7702Auth).toBeUndefined()
    await expect(client().getBalance({ address: RECEIVER })).resolves.toBe(before + 7n)
  })

  it('check the balances after the calls, which revert as a whole below a minimum', async () => {
    const { bundler, sent } = directBundler(devnet)
    const accounts = createSmartAccounts({ bundler, node })
    const before = await client().getBalance({ address: RECEIVER })
    const calls = [{ to: RECEIVER, value: parseEther('0.25'), data: '0x' }] as const
    const sendKeeping = async (minimum: string) => {
      const prepared = await accounts.prepare(CHAIN, account, calls)
      const token = zeroAddress
      const checked = await accounts.prepareWithMinimums(prepared, [{ token, amount: parseEther(minimum) }])
      expect(checked.operation.maxFeePerGas).toBe(prepared.operation.maxFeePerGas)
      await accounts.send(checked, signer(secret))
    }

    await sendKeeping('0.7')
    await expect(client().getBalance({ address: RECEIVER })).resolves.toBe(before + parseEther('0.25'))
    await sendKeeping('0.6')
    await expect(client().getBalance({ address: RECEIVER })).resolves.toBe(before + parseEther('0.25'))
    await sendKeeping('0.45')
    await expect(client().getBalance({ address: RECEIVER })).resolves.toBe(before + parseEther('0.5'))
    // The first batch of the network deploys the contract.
    expect(sent.map(({ callData }) => callData.includes(minimumBalancesCode.slice(2)))).toEqual([
      true,
      false,
      false,
    ])
  })

  it('check balances by the contract of the sources', () => {
    expect(minimumBalancesCode).toBe(compileContracts().MinimumBalances?.bytecode)
  })

  it('end their delegation by a transaction of the account', async () => {
    const accounts = createSmartAccounts({ bundler: directBundler(devnet).bundler, node })
    await accounts.send(
      await accounts.prepare(CHAIN, account, [{ to: RECEIVER, value: 1n, data: '0x' }]),
      signer(secret),
    )
    await expect(accounts.isDelegated(CHAIN, account)).resolves.toBe(true)
    await accounts.sendRemoval(await accounts.prepareRemoval(CHAIN, account), signer(secret))
    await expect(accounts.isDelegated(CHAIN, account)).resolves.toBe(false)
    await expect(client().getCode({ address: account })).resolves.toBeUndefined()
  })

  it('refuse the signature of another key', async () => {
    const { bundler } = directBundler(devnet)
    const accounts = createSmartAccounts({ bundler, node })
    const prepared = await accounts.prepare(CHAIN, account, [{ to: RECEIVER, value: 1n, data: '0x' }])
    await expect(accounts.send(prepared, signer(generatePrivateKey()))).rejects.toThrow()
  })

  it('have an address of their own where accounts cannot delegate, and are deployed by the first operation', async () => {
    const { bundler, sent } = directBundler(devnet, { delegation: false })
    const accounts = createSmartAccounts({ bundler, node })
    const [address] = (await accounts.addresses(CHAIN, account)) as [Hex]
    expect(address).not.toBe(account)
    await expect(accounts.isDelegated(CHAIN, account)).rejects.toMatchObject({ code: 5710 })
    await expect(accounts.isDeployed(CHAIN, account)).resolves.toBe(false)
    await client().request({
      method: 'anvil_setBalance',
      params: [address, numberToHex(parseEther('1'))],
    } as never)

    const before = await client().getBalance({ address: RECEIVER })
    const calls = [1n, 2n].map((value) => ({ to: RECEIVER, value, data: '0x' }) as const)
    const prepared = await accounts.prepare(CHAIN, account, calls)
    expect(prepared.delegate).toBeUndefined()
    await accounts.send(prepared, signer(secret))
    await expect(accounts.isDeployed(CHAIN, account)).resolves.toBe(true)
    await expect(client().getBalance({ address: RECEIVER })).resolves.toBe(before + 3n)

    await accounts.send(
      await accounts.prepare(CHAIN, account, [{ to: RECEIVER, value: 4n, data: '0x' }]),
      signer(secret),
    )
    expect(sent.map(({ sender, factory }) => [sender, factory])).toEqual([
      [address, devnet.chains[0]?.smartAccounts.factory],
      [address, undefined],
    ])
    await expect(client().getBalance({ address: RECEIVER })).resolves.toBe(before + 7n)
  })

  it('sign as contracts before and after they are deployed', async () => {
    const { bundler } = directBundler(devnet, { delegation: false })
    const accounts = createSmartAccounts({ bundler, node })
    const [address] = (await accounts.addresses(CHAIN, account)) as [Hex]
    const message = 'shop.example wants you to sign in'
    const own = await privateKeyToAccount(secret).signMessage({ message })
    const verify = async () =>
      client().verifyMessage({
        address,
        message,
        signature: await accounts.contractSignature(CHAIN, account, address, own),
      })

    await expect(accounts.contractSignature(CHAIN, account, address, own)).resolves.toMatch(/(6492){16}$/)
    await expect(verify()).resolves.toBe(true)
    await client().request({
      method: 'anvil_setBalance',
      params: [address, numberToHex(parseEther('1'))],
    } as never)
    await accounts.send(
      await accounts.prepare(CHAIN, account, [{ to: RECEIVER, value: 1n, data: '0x' }]),
      signer(secret),
    )
    await expect(accounts.contractSignature(CHAIN, account, address, own)).resolves.toBe(own)
    await expect(verify()).resolves.toBe(true)
    const other = await privateKeyToAccount(generatePrivateKey()).signMessage({ message })
    await expect(client().verifyMessage({ address, message, signature: other })).resolves.toBe(false)
  })

  it('keep the other address where accounts can delegate meanwhile', async () => {
    const before = createSmartAccounts({
      bundler: directBundler(devnet, { delegation: false }).bundler,
      node,
    })
    const after = createSmartAccounts({ bundler: directBundler(devnet).bundler, node })
    const [address] = (await before.addresses(CHAIN, account)) as [Hex]
    await expect(after.addresses(CHAIN, account)).resolves.toEqual([account, address])
    await client().request({
      method: 'anvil_setBalance',
      params: [address, numberToHex(parseEther('1'))],
    } as never)
    const balance = await client().getBalance({ address: RECEIVER })
    const calls = [{ to: RECEIVER, value: 5n, data: '0x' }] as const
    await after.send(await after.prepare(CHAIN, account, calls, address), signer(secret))
    await expect(client().getBalance({ address: RECEIVER })).resolves.toBe(balance + 5n)
  })

  it('say which account of a network sends calls at once', async () => {
    const capabilities = async (delegation: boolean, of: 'key' | 'smart') => {
      const accounts = createSmartAccounts({ bundler: directBundler(devnet, { delegation }).bundler, node })
      const [smart = ''] = await accounts.addresses(CHAIN, account)
      const { atomic } = await accounts.capabilities(CHAIN, of === 'key' ? account : smart, account)
      return (atomic as { status: string }).status
    }
    await expect(capabilities(true, 'key')).resolves.toBe('supported')
    await expect(capabilities(false, 'smart')).resolves.toBe('supported')
    await expect(capabilities(false, 'key')).resolves.toBe('unsupported')
  })

  it('are not offered on networks without their contracts', async () => {
    const { bundler } = directBundler(devnet)
    const accounts = createSmartAccounts({ bundler, node })
    await expect(accounts.capabilities('eip155:1', account, account)).resolves.toEqual({
      atomic: { status: 'unsupported' },
    })
    await expect(accounts.addresses('eip155:1', account)).resolves.toEqual([])
    await expect(accounts.prepare('eip155:1', account, [])).rejects.toMatchObject({ code: 5710 })
  })
})
