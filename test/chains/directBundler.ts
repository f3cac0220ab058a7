import type { Devnet } from '@hawser/devnet'
import { receiptOf } from '@hawser/devnet/receipt'
import { type BundlerClient, BundlerError, type SignRequest, type UserOperation } from '@hawser/vault'
import {
  concat,
  createPublicClient,
  createWalletClient,
  type Hex,
  http,
  numberToHex,
  pad,
  parseAbi,
  type Signature,
  serializeSignature,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'

const CHAIN = 'eip155:31337'

const entryPointAbi = parseAbi([
  'struct Packed { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature }',
  'function handleOps(Packed[] ops, address beneficiary)',
])

/** Signs with a key as the frame's vault does. */
export function signer(secret: Hex) {
  const account = privateKeyToAccount(secret)
  return async (request: SignRequest): Promise<string> => {
    if (request.kind === 'typedData') return account.signTypedData(request.data)
    if (request.kind === 'transaction') return account.signTransaction(request.transaction as never)
    if (request.kind !== 'authorization') throw new Error(`a ${request.kind} was to be signed`)
    return serializeSignature((await account.signAuthorization(request.authorization)) as Signature)
  }
}

/** Returns a client of the first local chain. */
export function clientOf(devnet: Devnet) {
  return createPublicClient({ chain: foundry, transport: http(devnet.chains[0]?.rpcUrl) })
}

interface DirectBundlerOptions {
  /** Whether the chain offers smart accounts by delegation (EIP-7702); else it offers those of the factory. Default true. */
  readonly delegation?: boolean
}

/** Creates a bundler whose operations go straight to the EntryPoint of the local chain. */
export function directBundler(
  devnet: Devnet,
  { delegation = true }: DirectBundlerOptions = {},
): { bundler: BundlerClient; sent: UserOperation[] } {
  const sent: UserOperation[] = []
  const executor = privateKeyToAccount(devnet.manifest.accounts[3]?.privateKey as Hex)
  const wallet = createWalletClient({
    account: executor,
    chain: foundry,
    transport: http(devnet.chains[0]?.rpcUrl),
  })
  const contracts = devnet.chains[0]?.smartAccounts
  if (!contracts) throw new Error('the chain has no smart accounts')
  const { entryPoint07, delegate, factory, hybrid } = contracts

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
            initCode: operation.factory ? concat([operation.factory, operation.factoryData ?? '0x']) : '0x',
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
    const receipt = await receiptOf(clientOf(devnet), hash)
    if (receipt.status !== 'success') throw new BundlerError(-32500, 'the EntryPoint reverted')
  }

  return {
    sent,
    bundler: {
      async rpc(_, method) {
        if (method === 'pimlico_getUserOperationGasPrice') {
          const { maxFeePerGas, maxPriorityFeePerGas } = await clientOf(devnet).estimateFeesPerGas()
          const fees = {
            maxFeePerGas: numberToHex(maxFeePerGas * 2n),
            maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
          }
          return { standard: fees }
        }
        return { callGasLimit: '0x7a120', verificationGasLimit: '0x7a120', preVerificationGas: '0x186a0' }
      },
      async call(method, request) {
        if (method === 'ListAccountChains') {
          const chain = {
            chainId: CHAIN,
            delegation,
            implementation: delegate,
            factory,
            factoryImplementation: hybrid,
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
          const hash = await clientOf(devnet).sendRawTransaction({ serializedTransaction })
          await receiptOf(clientOf(devnet), hash)
        }
        return { id: id || '0x01' } as never
      },
    },
  }
}
