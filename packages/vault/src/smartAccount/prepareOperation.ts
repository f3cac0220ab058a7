import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { addressesOf, hybridAt } from './accountChain.ts'
import { type AccountsClient, isDelegatedTo, isHybridDeployed, requireChain } from './accountsClient.ts'
import { BundlerError, failingCalls, INTERNAL_ERROR } from './bundlerClient.ts'
import type { AccountChain } from './bundlerTypes.ts'
import type { HybridAccount } from './hybridAccount.ts'
import {
  type CheckSupport,
  checkGas,
  checkSupport,
  type MinimumBalance,
  withCheck,
} from './minimumBalances.ts'
import { FEE_TOO_HIGH, sponsorEstimate } from './sponsorship.ts'
import {
  type AccountCall,
  type AccountCode,
  dummySignature,
  encodeCalls,
  maxCostOf,
  type OperationFees,
  toHex,
  type UserOperation,
} from './userOperation.ts'

/** An operation that its account has not signed yet. */
export interface PreparedOperation {
  readonly chain: AccountChain
  /** Address of the key that signs. */
  readonly owner: Hex
  readonly calls: readonly AccountCall[]
  /** The code that verifies the signature. */
  readonly code: AccountCode
  readonly operation: UserOperation
  /** The account is to delegate to this code first; undefined if it does. */
  readonly delegate: Hex | undefined
  /** Nonce of the authorization. */
  readonly authorizationNonce: number
  /** The most that the account pays for gas, in wei; 0 if a paymaster pays. */
  readonly maxFee: bigint
  /** Whether the network can check balances after the calls. */
  readonly check: CheckSupport
  /** The most that a check adds to `maxFee`, in wei. */
  readonly checkFee: bigint
}

interface OperationDraft {
  readonly chain: AccountChain
  readonly owner: Hex
  readonly sender: Hex
  readonly calls: readonly AccountCall[]
  readonly fees: OperationFees
}

const OTHER_CODE = 'The account would run another code than the one that was approved'
const entryPointAbi = parseAbi(['function getNonce(address sender, uint192 key) view returns (uint256)'])
/** What replaces the signature of an authorization while its gas is estimated. */
const dummyWord: Hex = `0x${'1'.repeat(64)}`

/** Fills in the gas, fees and paymaster of calls, as `SmartAccounts.prepare` does. */
export async function prepareOperation(
  client: AccountsClient,
  chainId: string,
  owner: Hex,
  calls: readonly AccountCall[],
  account?: Hex,
): Promise<PreparedOperation> {
  const { bundler, node } = client
  const chain = await requireChain(client, chainId)
  const sender = account ?? addressesOf(chain, owner)[0] ?? owner
  const [price, check] = await Promise.all([
    bundler.rpc(chainId, 'pimlico_getUserOperationGasPrice', []),
    checkSupport((address) => node(chainId, 'eth_getCode', [address, 'latest'])),
  ])
  const { standard } = price as { standard: OperationFees }
  const prepared = await fillIn(client, { chain, owner, sender, calls, fees: standard })
  const checkFee = prepared.operation.paymaster ? 0n : checkGas(check) * BigInt(standard.maxFeePerGas)
  return { ...prepared, calls, check, checkFee }
}

/** Prepares an operation again with a check after its calls, as `SmartAccounts.prepareWithMinimums` does. */
export async function prepareWithMinimums(
  client: AccountsClient,
  first: PreparedOperation,
  minimums: readonly MinimumBalance[],
): Promise<PreparedOperation> {
  const calls = withCheck(first.calls, minimums, first.check)
  if (calls === first.calls) return first
  const { maxFeePerGas, maxPriorityFeePerGas, sender } = first.operation
  const fees = { maxFeePerGas, maxPriorityFeePerGas }
  const prepared = await fillIn(client, { chain: first.chain, owner: first.owner, sender, calls, fees })
  if (prepared.maxFee > first.maxFee + first.checkFee) throw new BundlerError(INTERNAL_ERROR, FEE_TOO_HIGH)
  if (prepared.delegate !== first.delegate) throw new BundlerError(INTERNAL_ERROR, OTHER_CODE)
  return { ...first, ...prepared }
}

/** Fills in the nonce, the gas and the paymaster of an operation. */
async function fillIn(client: AccountsClient, { chain, owner, sender, calls, fees }: OperationDraft) {
  const { bundler, node } = client
  const chainId = String(chain.chainId)
  const hybrid = sender === owner ? undefined : hybridAt(chain, owner, sender)
  const entryPoint = chain.entryPoint as Hex
  const nonceCall = encodeFunctionData({ abi: entryPointAbi, args: [sender, 0n] })
  const [nonce, count] = await Promise.all([
    node(chainId, 'eth_call', [{ to: entryPoint, data: nonceCall }, 'latest']),
    node(chainId, 'eth_getTransactionCount', [owner, 'latest']),
  ])
  const authorizationNonce = Number(BigInt(String(count)))
  const draft: UserOperation = {
    sender,
    nonce: toHex(BigInt(String(nonce))),
    callData: encodeCalls(calls),
    callGasLimit: '0x0',
    verificationGasLimit: '0x0',
    preVerificationGas: '0x0',
    ...fees,
    signature: dummySignature,
    ...(await deployment(client, chain, owner, hybrid, authorizationNonce)),
  }
  const sponsored = await sponsorEstimate(client, chain, draft)
  const gas = (await bundler
    .rpc(chainId, 'eth_estimateUserOperationGas', [sponsored, entryPoint])
    .catch((error) => {
      throw failingCalls(error, draft.eip7702Auth?.address)
    })) as Pick<UserOperation, 'callGasLimit' | 'verificationGasLimit' | 'preVerificationGas'>
  const operation = {
    ...sponsored,
    callGasLimit: gas.callGasLimit,
    verificationGasLimit: gas.verificationGasLimit,
    preVerificationGas: gas.preVerificationGas,
  }
  return {
    chain,
    owner,
    code: hybrid ? ('HybridDeleGator' as const) : ('EIP7702StatelessDeleGator' as const),
    operation,
    delegate: operation.eip7702Auth?.address,
    authorizationNonce,
    maxFee: operation.paymaster ? 0n : maxCostOf(operation),
  }
}

/** Returns the fields of an operation whose account does not run its code yet. */
async function deployment(
  client: AccountsClient,
  chain: AccountChain,
  owner: Hex,
  hybrid: HybridAccount | undefined,
  authorizationNonce: number,
) {
  const chainId = String(chain.chainId)
  if (hybrid) {
    if (await isHybridDeployed(client, chainId, hybrid)) return {}
    return { factory: hybrid.factory, factoryData: hybrid.factoryData }
  }
  const implementation = chain.implementation as Hex
  if (await isDelegatedTo(client, chainId, owner, implementation)) return {}
  return {
    eip7702Auth: {
      chainId: toHex(BigInt(chainId.slice('eip155:'.length))),
      address: implementation,
      nonce: toHex(authorizationNonce),
      yParity: '0x0' as const,
      r: dummyWord,
      s: dummyWord,
    },
  }
}
