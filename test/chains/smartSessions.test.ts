import { type Devnet, startDevnet } from '@hawser/devnet'
import { receiptOf } from '@hawser/devnet/receipt'
import {
  type BundlerClient,
  createSmartAccounts,
  decodeContext,
  execute,
  type Limits,
  listSessionContracts,
  type Node,
  prepareDisableAll,
  type Session,
} from '@hawser/vault'
import {
  createWalletClient,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  type Hex,
  hexToBigInt,
  http,
  numberToHex,
  pad,
  parseAbi,
  parseAbiParameters,
  parseEther,
  recoverTypedDataAddress,
  slice,
  toFunctionSelector,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { encodeContext } from '../../packages/vault/src/permissions/delegation.ts'
import { isDisabled } from '../../packages/vault/src/permissions/grant.ts'
import { grantPermissions, revokePermissions } from '../../packages/vault/src/permissions/requests.ts'
import { narrow } from '../../packages/vault/src/permissions/session.ts'
import type { SigningContext } from '../../packages/vault/src/wallet/signingContext.ts'
import { clientOf, directBundler, signer } from './directBundler.ts'

const CHAIN = 'eip155:31337'
const RECEIVER = '0x00000000000000000000000000000000000000a1'

/** Of the wallet's pages. */
const ORIGIN = 'https://wallet.example'

describe('a smart session', () => {
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startDevnet({ chainIds: [31337] })
  }, 60_000)
  afterAll(() => devnet.stop())

  const client = () => clientOf(devnet)
  const node: Node = (_, method, params) => client().request({ method, params } as never)

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

  const TARGET = '0x00000000000000000000000000000000000000b1'
  const DAY = 86_400
  const GROUP = parseAbiParameters('(uint256 index, bytes[] args)')
  const delegates = privateKeyToAccount(generatePrivateKey())

  const contracts = () => {
    const found = devnet.chains[0]?.smartAccounts
    if (!found) throw new Error('the chain has no smart accounts')
    return found
  }
  const chainTime = async () => Number((await client().getBlock()).timestamp)

  /** Grants a session as the frame does, for a user who lowers nothing unless limits are given. */
  async function grantTo(permissions: readonly object[], lowered: Partial<Limits> = {}) {
    const { bundler: direct } = directBundler(devnet)
    const { delegationManager, enforcers, factory, multiSig: implementation } = contracts()
    const bundler: BundlerClient = {
      ...direct,
      call: async (method, request) =>
        method === 'ListSessionChains'
          ? ({
              chains: [{ chainId: CHAIN, delegationManager, enforcers, factory, implementation }],
            } as never)
          : direct.call(method, request),
    }
    const smartAccounts = createSmartAccounts({ bundler, node })
    const now = await chainTime()
    const views: object[] = []
    const grants: object[] = []
    const context = {
      addresses: { eip155: account },
      approve: async () => undefined,
      approveGrant: async (view: { readonly session: Session }) => {
        views.push(view)
        const { expiry, calls, native, token } = view.session
        const limits = { expiry, calls, native: native?.amount ?? 0n, token: token?.amount ?? 0n }
        return narrow(view.session, { ...limits, ...lowered })
      },
      bundler,
      chainId: CHAIN,
      node,
      now: () => now * 1_000,
      smartAccounts: { ...smartAccounts, status: async () => ({ status: 200 }) },
      site: ORIGIN,
      vault: {
        sign: signer(secret),
        addGrant: async (grant: object) => void grants.push(grant),
        listGrants: async () => grants,
        origin: async () => ORIGIN,
      },
    } as unknown as SigningContext
    const granted = (await grantPermissions(context, [
      {
        chainId: '0x7a69',
        address: account,
        expiry: now + 10 * DAY,
        signer: { type: 'account', data: { address: delegates.address } },
        permissions,
        policies: [],
      },
    ])) as { context: Hex; expiry: number; permissions: readonly object[] }
    return { ...granted, signing: context, views }
  }

  /** Makes a call in the name of the account; `group` selects the kind of call of a session with several. */
  async function redeem(
    context: Hex,
    call: { readonly to: Hex; readonly value?: bigint; readonly data?: Hex },
    { by = delegates, group = -1, caveats = 0 } = {},
  ): Promise<void> {
    const delegation = decodeContext(context)
    const args = encodeAbiParameters(GROUP, [
      { index: BigInt(Math.max(group, 0)), args: Array.from({ length: caveats }, () => '0x' as const) },
    ])
    const used = {
      ...delegation,
      caveats: delegation.caveats.map((caveat, at, { length }) =>
        group >= 0 && at === length - 1 ? { ...caveat, args } : caveat,
      ),
    }
    const { to, value = 0n, data = '0x' } = call
    await setBalance(by.address)
    const hash = await createWalletClient({
      account: by,
      chain: foundry,
      transport: http(devnet.chains[0]?.rpcUrl),
    }).writeContract({
      address: contracts().delegationManager,
      abi: parseAbi(['function redeemDelegations(bytes[] contexts, bytes32[] modes, bytes[] executions)']),
      functionName: 'redeemDelegations',
      args: [
        [encodeContext([used])],
        [pad('0x')],
        [encodePacked(['address', 'uint256', 'bytes'], [to, value, data])],
      ],
    })
    const receipt = await receiptOf(client(), hash)
    expect(receipt.status).toBe('success')
  }

  const setBalance = (address: Hex) =>
    client().request({
      method: 'anvil_setBalance',
      params: [address, numberToHex(parseEther('1'))],
    } as never)

  const native = async (allowance: bigint) => ({
    type: 'native-token-recurring-allowance',
    data: { allowance: numberToHex(allowance), start: await chainTime(), period: DAY },
  })

  it('spends up to the limit that the user lowered, and again in the next period', async () => {
    const { context, permissions } = await grantTo([await native(100n)], { native: 10n })
    expect(permissions).toMatchObject([{ data: { allowance: '0xa' } }])
    await expect(client().getCode({ address: account })).resolves.toMatch(/^0xef0100/)
    const before = await client().getBalance({ address: TARGET })
    await redeem(context, { to: TARGET, value: 6n })
    await expect(redeem(context, { to: TARGET, value: 6n })).rejects.toThrow('transfer-amount-exceeded')
    await redeem(context, { to: TARGET, value: 4n })
    await expect(redeem(context, { to: TARGET, value: 1n })).rejects.toThrow('transfer-amount-exceeded')
    await expect(redeem(context, { to: TARGET, value: 0n, data: '0x12345678' })).rejects.toThrow(
      'invalid-calldata',
    )
    const thief = privateKeyToAccount(generatePrivateKey())
    await expect(redeem(context, { to: TARGET, value: 1n }, { by: thief })).rejects.toThrow()
    await increaseTime(DAY)
    await redeem(context, { to: TARGET, value: 10n })
    await expect(client().getBalance({ address: TARGET })).resolves.toBe(before + 20n)
  })

  it('ends at its time', async () => {
    const { context } = await grantTo([await native(10n)], { expiry: (await chainTime()) + DAY })
    await increaseTime(DAY + 1)
    await expect(redeem(context, { to: TARGET, value: 1n })).rejects.toThrow('expired-delegation')
  })

  it('calls the functions that were granted with the arguments that were granted', async () => {
    const abi = [
      { type: 'function', name: 'buy', inputs: [{ name: 'item', type: 'uint256' }], outputs: [] },
      { type: 'function', name: 'tip', inputs: [], outputs: [] },
    ]
    const functions = [
      { functionName: 'buy', args: [{ operator: 'EQUAL', value: '0x7' }] },
      { functionName: 'tip', valueLimit: '0x5' },
    ]
    const calls = { type: 'contract-call', data: { address: TARGET, abi, functions } }
    const { context } = await grantTo([calls, await native(8n)])
    const buy = (item: bigint) =>
      encodeFunctionData({ abi: parseAbi(['function buy(uint256 item)']), args: [item] })
    const tip = toFunctionSelector('tip()')
    const [payment, buying, tipping] = [
      { group: 0, caveats: 1 },
      { group: 1, caveats: 4 },
      { group: 2, caveats: 3 },
    ]
    await redeem(context, { to: TARGET, data: buy(7n) }, buying)
    await expect(redeem(context, { to: TARGET, data: buy(8n) }, buying)).rejects.toThrow('invalid-calldata')
    await expect(redeem(context, { to: RECEIVER, data: buy(7n) }, buying)).rejects.toThrow()
    await expect(redeem(context, { to: TARGET, data: '0x12345678' }, tipping)).rejects.toThrow()
    await redeem(context, { to: TARGET, value: 5n, data: tip }, tipping)
    await expect(redeem(context, { to: TARGET, value: 6n, data: tip }, tipping)).rejects.toThrow()
    // The value of calls counts against the allowance as well.
    await expect(redeem(context, { to: RECEIVER, value: 4n }, payment)).rejects.toThrow(
      'transfer-amount-exceeded',
    )
    await redeem(context, { to: RECEIVER, value: 3n }, payment)
  })

  it('is refused by the chain after its revocation, which proves the account to the service', async () => {
    const { context, signing } = await grantTo([await native(10n)])
    const { call } = signing.bundler
    const withContext = {
      ...signing,
      bundler: {
        ...signing.bundler,
        call: async (method: never, request: never) =>
          method === 'GetContext' ? { context } : call(method, request),
      },
    } as SigningContext
    const pci = '2f0d8d63-2c7c-4b43-9d5b-0d3d1c9d3f10'
    const proof = (await revokePermissions(withContext, [{ pci, address: `${CHAIN}:${account}` }])) as Hex
    const [nonce, deadline, signature] = [slice(proof, 0, 32), slice(proof, 32, 40), slice(proof, 40)]
    const signed = await recoverTypedDataAddress({
      domain: { name: `Hawser Sessions at ${ORIGIN}`, version: '1', chainId: 31337 },
      types: {
        RevokeSession: parseAbiParameters(
          'string pci, address account, uint256 chainId, bytes32 nonce, uint64 deadline',
        ),
      } as never,
      primaryType: 'RevokeSession',
      message: { pci, account, chainId: 31337n, nonce, deadline: hexToBigInt(deadline) },
      signature,
    } as never)
    expect(signed).toBe(account)
    await expect(redeem(context, { to: TARGET, value: 1n })).rejects.toThrow()
  })

  it('ends with all other sessions of the account', async () => {
    const { context, signing } = await grantTo([await native(10n)])
    const [chain] = await listSessionContracts(signing.bundler)
    if (!chain) throw new Error('there is no network')
    await redeem(context, { to: TARGET, value: 1n })
    await expect(isDisabled(node, chain, decodeContext(context))).resolves.toBe(false)
    await execute(signing, await prepareDisableAll(signing, chain, account))
    await expect(isDisabled(node, chain, decodeContext(context))).resolves.toBe(true)
    await expect(redeem(context, { to: TARGET, value: 1n })).rejects.toThrow('invalid-nonce')
  })

  async function increaseTime(seconds: number) {
    await client().request({ method: 'evm_increaseTime', params: [numberToHex(seconds)] } as never)
    await client().request({ method: 'evm_mine', params: [] } as never)
  }
})
