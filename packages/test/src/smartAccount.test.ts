import { type Devnet, startDevnet } from '@hawser/devnet'
import {
  type BundlerClient,
  BundlerError,
  createSmartAccounts,
  type SignRequest,
  type UserOperation,
} from '@hawser/frame/wallet'
import {
  concat,
  createPublicClient,
  createWalletClient,
  type Hex,
  http,
  numberToHex,
  pad,
  parseAbi,
  parseEther,
  type Signature,
  serializeSignature,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const CHAIN = 'eip155:31337'
const RECEIVER = '0x00000000000000000000000000000000000000a1'

const entryPointAbi = parseAbi([
  'struct Packed { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature }',
  'function handleOps(Packed[] ops, address beneficiary)',
])

/** Signs with a key as the frame's vault does. */
function signer(secret: Hex) {
  const account = privateKeyToAccount(secret)
  return async (request: SignRequest): Promise<string> => {
    if (request.kind === 'typedData') return account.signTypedData(request.data)
    if (request.kind === 'transaction') return account.signTransaction(request.transaction as never)
    if (request.kind !== 'authorization') throw new Error(`a ${request.kind} was to be signed`)
    return serializeSignature((await account.signAuthorization(request.authorization)) as Signature)
  }
}

describe('smart accounts', () => {
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startDevnet({ chainIds: [31337] })
  }, 60_000)
  afterAll(() => devnet.stop())

  const client = () => createPublicClient({ chain: foundry, transport: http(devnet.chains[0]?.rpcUrl) })
  const node = (_: string, method: string, params: readonly unknown[]) =>
    client().request({ method, params } as never) as Promise<unknown>

  /** A bundler whose operations go straight to the EntryPoint of the local chain. */
  function directBundler(): { bundler: BundlerClient; sent: UserOperation[] } {
    const sent: UserOperation[] = []
    const executor = privateKeyToAccount(devnet.manifest.accounts[3]?.privateKey as Hex)
    const wallet = createWalletClient({
      account: executor,
      chain: foundry,
      transport: http(devnet.chains[0]?.rpcUrl),
    })
    const contracts = devnet.chains[0]?.smartAccounts
    if (!contracts) throw new Error('the chain has no smart accounts')
    const { entryPoint07, delegate } = contracts

    async function send(operation: UserOperation) {
      sent.push(operation)
      const two = (high: Hex, low: Hex) => concat([pad(high, { size: 16 }), pad(low, { size: 16 })])
      const { eip7702Auth } = operation
      const hash = await wallet.writeContract({
        address: entryPoint07,
        abi: entryPointAbi,
        functionName: 'handleOps',
        args: [
          [
            {
              sender: operation.sender,
              nonce: BigInt(operation.nonce),
              initCode: '0x',
              callData: operation.callData,
              accountGasLimits: two(operation.verificationGasLimit, operation.callGasLimit),
              preVerificationGas: BigInt(operation.preVerificationGas),
              gasFees: two(operation.maxPriorityFeePerGas, operation.maxFeePerGas),
              paymasterAndData: '0x',
              signature: operation.signature,
            },
          ],
          executor.address,
        ],
        gas: 3_000_000n,
        ...(eip7702Auth && {
          authorizationList: [
            {
              address: eip7702Auth.address,
              chainId: Number(eip7702Auth.chainId),
              nonce: Number(eip7702Auth.nonce),
              r: eip7702Auth.r,
              s: eip7702Auth.s,
              yParity: Number(eip7702Auth.yParity),
            },
          ],
        }),
      } as never)
      const receipt = await client().waitForTransactionReceipt({ hash, pollingInterval: 20 })
      if (receipt.status !== 'success') throw new BundlerError(-32500, 'the EntryPoint reverted')
    }

    return {
      sent,
      bundler: {
        async rpc(_, method) {
          if (method === 'pimlico_getUserOperationGasPrice') {
            const { maxFeePerGas, maxPriorityFeePerGas } = await client().estimateFeesPerGas()
            const fees = {
              maxFeePerGas: numberToHex(maxFeePerGas * 2n),
              maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
            }
            return { standard: fees }
          }
          return { callGasLimit: '0x30d40', verificationGasLimit: '0x30d40', preVerificationGas: '0x186a0' }
        },
        async call(method, request) {
          if (method === 'ListAccountChains') {
            const chain = {
              chainId: CHAIN,
              delegation: true,
              implementation: delegate,
              entryPoint: entryPoint07,
              entryPointVersion: '0.7',
            }
            return { chains: [chain] } as never
          }
          const { id, userOperation, transactions } = request as {
            id?: string
            userOperation?: UserOperation
            transactions?: readonly Hex[]
          }
          if (userOperation) await send(userOperation)
          for (const serializedTransaction of transactions ?? []) {
            const hash = await client().sendRawTransaction({ serializedTransaction })
            await client().waitForTransactionReceipt({ hash, pollingInterval: 20 })
          }
          return { id: id || '0x01' } as never
        },
      },
    }
  }

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
    const { bundler, sent } = directBundler()
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

  it('end their delegation by a transaction of the account', async () => {
    const accounts = createSmartAccounts({ bundler: directBundler().bundler, node })
    await accounts.send(
      await accounts.prepare(CHAIN, account, [{ to: RECEIVER, value: 1n, data: '0x' }]),
      signer(secret),
    )
    await expect(accounts.isDelegated(CHAIN, account)).resolves.toBe(true)
    await accounts.removeDelegation(CHAIN, account, signer(secret))
    await expect(accounts.isDelegated(CHAIN, account)).resolves.toBe(false)
    await expect(client().getCode({ address: account })).resolves.toBeUndefined()
  })

  it('refuse the signature of another key', async () => {
    const { bundler } = directBundler()
    const accounts = createSmartAccounts({ bundler, node })
    const prepared = await accounts.prepare(CHAIN, account, [{ to: RECEIVER, value: 1n, data: '0x' }])
    await expect(accounts.send(prepared, signer(generatePrivateKey()))).rejects.toThrow()
  })

  it('are not offered on networks whose accounts cannot delegate', async () => {
    const { bundler } = directBundler()
    const accounts = createSmartAccounts({ bundler, node })
    await expect(accounts.capabilities(CHAIN)).resolves.toMatchObject({ atomic: { status: 'supported' } })
    await expect(accounts.capabilities('eip155:1')).resolves.toEqual({ atomic: { status: 'unsupported' } })
    await expect(accounts.chain('eip155:1')).rejects.toMatchObject({ code: 5710 })
  })
})
