import { encodeFunctionData, type Hex, parseAbi, parseSignature } from 'viem'
import type { SignRequest } from '../keys/signer.ts'
import { type BundlerClient, BundlerError } from './bundlerClient.ts'
import type { AccountChain, CallsStatus } from './bundlerTypes.ts'
import {
  type AccountCall,
  type AuthorizationJson,
  dummySignature,
  encodeCalls,
  maxCostOf,
  operationTypedData,
  toHex,
  type UserOperation,
} from './userOperation.ts'

/** Calls a JSON-RPC method of a network's nodes. */
type Node = (chainId: string, method: string, params: readonly unknown[]) => Promise<unknown>

export interface SmartAccountsOptions {
  readonly bundler: BundlerClient
  readonly node: Node
}

/** An operation that its account has not signed yet. */
export interface PreparedOperation {
  readonly chain: AccountChain
  readonly account: Hex
  readonly operation: UserOperation
  /** The account is to delegate to this code first; undefined if it does. */
  readonly delegate: Hex | undefined
  /** Nonce of the authorization. */
  readonly authorizationNonce: number
  /** The most that the account pays for gas, in wei; 0 if a paymaster pays. */
  readonly maxFee: bigint
}

export interface SmartAccounts {
  /** Returns what smart accounts can do on each network. It is fetched once. */
  chains(): Promise<readonly AccountChain[]>
  /** Returns a network whose accounts can delegate to the known code (EIP-7702). @throws BundlerError 5710 */
  chain(chainId: string): Promise<AccountChain>
  /** Answers `wallet_getCapabilities` (EIP-5792) for one network. */
  capabilities(chainId: string): Promise<Record<string, unknown>>
  /** Reports whether an account delegates to the known code. */
  isDelegated(chainId: string, account: Hex): Promise<boolean>
  /** Fills in the gas, fees and paymaster of calls. @throws BundlerError when they would fail. */
  prepare(chainId: string, account: Hex, calls: readonly AccountCall[]): Promise<PreparedOperation>
  /** Signs and sends an operation, under an id of the site or a new one. Returns the id. @throws BundlerError */
  send(
    prepared: PreparedOperation,
    sign: (request: SignRequest) => Promise<string>,
    id?: string,
  ): Promise<string>
  /** Ends the delegation of an account by a transaction of its own, which the account pays for. Returns the id of the calls. @throws BundlerError */
  removeDelegation(
    chainId: string,
    account: Hex,
    sign: (request: SignRequest) => Promise<string>,
  ): Promise<string>
  /** Answers `wallet_getCallsStatus` (EIP-5792). @throws BundlerError 5730 */
  status(account: Hex, id: string): Promise<CallsStatus>
}

const UNSUPPORTED_CHAIN = 5710
const entryPointAbi = parseAbi(['function getNonce(address sender, uint192 key) view returns (uint256)'])
/** Prefix of the code of an account that delegates (EIP-7702). */
const DELEGATION = '0xef0100'
/** The zero address as the target of an authorization removes the delegation (EIP-7702). */
const NO_DELEGATE: Hex = '0x0000000000000000000000000000000000000000'
/** Gas of a transaction with one authorization: 21,000 and 25,000, and what a transfer to an account with code uses. */
const REMOVAL_GAS = 60_000n
/** What replaces the signature of an authorization while its gas is estimated. */
const dummyWord: Hex = `0x${'1'.repeat(64)}`

/** Creates the client of smart accounts: accounts of a key that delegate to EIP7702StatelessDeleGator. */
export function createSmartAccounts({ bundler, node }: SmartAccountsOptions): SmartAccounts {
  let known: Promise<readonly AccountChain[]> | undefined

  function chains() {
    known ??= bundler
      .call('ListAccountChains', {})
      .then((answer) => answer.chains ?? [])
      .catch((error) => {
        known = undefined
        throw error
      })
    return known
  }

  async function find(chainId: string): Promise<AccountChain | undefined> {
    const found = (await chains()).find((chain) => chain.chainId === chainId)
    return found?.delegation && found.implementation && found.entryPoint ? found : undefined
  }

  async function chain(chainId: string): Promise<AccountChain> {
    const found = await find(chainId)
    if (!found) throw new BundlerError(UNSUPPORTED_CHAIN, 'The network has no smart accounts')
    return found
  }

  async function isDelegatedTo(chainId: string, account: Hex, implementation: string): Promise<boolean> {
    const code = String(await node(chainId, 'eth_getCode', [account, 'latest']))
    return code.toLowerCase() === (DELEGATION + implementation.slice(2)).toLowerCase()
  }

  /** Adds paymaster fields; without a paymaster that pays, the operation is unchanged. */
  async function sponsor(
    { chainId, entryPoint, paymaster }: AccountChain,
    operation: UserOperation,
    method: 'pm_getPaymasterStubData' | 'pm_getPaymasterData',
  ): Promise<UserOperation> {
    if (!paymaster) return operation
    const number = toHex(BigInt(String(chainId).slice('eip155:'.length)))
    try {
      const fields = (await bundler.rpc(String(chainId), method, [operation, entryPoint, number, {}])) as {
        paymaster: Hex
        paymasterData: Hex
        paymasterVerificationGasLimit?: Hex
        paymasterPostOpGasLimit?: Hex
      }
      return {
        ...operation,
        paymaster: fields.paymaster,
        paymasterData: fields.paymasterData,
        paymasterVerificationGasLimit: fields.paymasterVerificationGasLimit ?? '0x0',
        paymasterPostOpGasLimit: fields.paymasterPostOpGasLimit ?? '0x0',
      }
    } catch (error) {
      if (method === 'pm_getPaymasterStubData') return operation
      throw error
    }
  }

  async function prepare(
    chainId: string,
    account: Hex,
    calls: readonly AccountCall[],
  ): Promise<PreparedOperation> {
    const on = await chain(chainId)
    const implementation = on.implementation as Hex
    const entryPoint = on.entryPoint as Hex
    const nonceCall = encodeFunctionData({ abi: entryPointAbi, args: [account, 0n] })
    const [isDelegated, nonce, count, price] = await Promise.all([
      isDelegatedTo(chainId, account, implementation),
      node(chainId, 'eth_call', [{ to: entryPoint, data: nonceCall }, 'latest']),
      node(chainId, 'eth_getTransactionCount', [account, 'latest']),
      bundler.rpc(chainId, 'pimlico_getUserOperationGasPrice', []),
    ])
    const { standard } = price as { standard: { maxFeePerGas: Hex; maxPriorityFeePerGas: Hex } }
    const authorizationNonce = Number(BigInt(String(count)))
    const draft: UserOperation = {
      sender: account,
      nonce: toHex(BigInt(String(nonce))),
      callData: encodeCalls(calls),
      callGasLimit: '0x0',
      verificationGasLimit: '0x0',
      preVerificationGas: '0x0',
      ...standard,
      signature: dummySignature,
      ...(isDelegated
        ? {}
        : {
            eip7702Auth: {
              chainId: toHex(BigInt(chainId.slice('eip155:'.length))),
              address: implementation,
              nonce: toHex(authorizationNonce),
              yParity: '0x0',
              r: dummyWord,
              s: dummyWord,
            },
          }),
    }
    const sponsored = await sponsor(on, draft, 'pm_getPaymasterStubData')
    const gas = (await bundler.rpc(chainId, 'eth_estimateUserOperationGas', [sponsored, entryPoint])) as {
      callGasLimit: Hex
      verificationGasLimit: Hex
      preVerificationGas: Hex
    }
    const operation = {
      ...sponsored,
      callGasLimit: gas.callGasLimit,
      verificationGasLimit: gas.verificationGasLimit,
      preVerificationGas: gas.preVerificationGas,
    }
    return {
      chain: on,
      account,
      operation,
      delegate: isDelegated ? undefined : implementation,
      authorizationNonce,
      maxFee: operation.paymaster ? 0n : maxCostOf(operation),
    }
  }

  async function send(
    { chain, account, operation, delegate, authorizationNonce }: PreparedOperation,
    sign: (request: SignRequest) => Promise<string>,
    id = '',
  ): Promise<string> {
    const chainId = Number(String(chain.chainId).slice('eip155:'.length))
    const entryPoint = chain.entryPoint as Hex
    const { eip7702Auth: _, ...rest } = operation
    let final: UserOperation = rest
    if (delegate) {
      const authorization = { chainId, address: delegate, nonce: authorizationNonce }
      const signature = await sign({ kind: 'authorization', authorization })
      final = { ...rest, eip7702Auth: authorizationJson(authorization, signature as Hex) }
    }
    if (final.paymaster) final = await sponsor(chain, final, 'pm_getPaymasterData')
    const data = operationTypedData(final, chainId, entryPoint)
    final = { ...final, signature: (await sign({ kind: 'typedData', data })) as Hex }
    const sent = await bundler.call('SendCalls', {
      chainId: String(chain.chainId),
      account,
      id,
      entryPoint,
      userOperation: final,
    })
    return sent.id ?? id
  }

  async function removeDelegation(
    chainId: string,
    account: Hex,
    sign: (request: SignRequest) => Promise<string>,
  ): Promise<string> {
    const number = Number(chainId.slice('eip155:'.length))
    const [count, price] = await Promise.all([
      node(chainId, 'eth_getTransactionCount', [account, 'pending']),
      bundler.rpc(chainId, 'pimlico_getUserOperationGasPrice', []),
    ])
    const { standard } = price as { standard: { maxFeePerGas: Hex; maxPriorityFeePerGas: Hex } }
    const nonce = Number(BigInt(String(count)))
    // The transaction itself uses the nonce before that of its authorization.
    const authorization = { chainId: number, address: NO_DELEGATE, nonce: nonce + 1 }
    const { r, s, yParity } = parseSignature((await sign({ kind: 'authorization', authorization })) as Hex)
    const transaction = {
      type: 'eip7702',
      chainId: number,
      nonce,
      to: account,
      value: 0n,
      gas: REMOVAL_GAS,
      maxFeePerGas: BigInt(standard.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(standard.maxPriorityFeePerGas),
      authorizationList: [{ ...authorization, r, s, yParity: yParity ?? 0 }],
    } as const
    const raw = await sign({ kind: 'transaction', transaction })
    const sent = await bundler.call('SendCalls', { chainId, account, transactions: [raw] })
    return sent.id ?? ''
  }

  return {
    chains,
    chain,
    async capabilities(chainId) {
      const found = await find(chainId)
      if (!found) return { atomic: { status: 'unsupported' } }
      return { atomic: { status: 'supported' }, paymasterService: { supported: found.paymaster === true } }
    },
    async isDelegated(chainId, account) {
      const { implementation = '' } = await chain(chainId)
      return isDelegatedTo(chainId, account, implementation)
    },
    prepare,
    send,
    removeDelegation,
    async status(account, id) {
      const { chainId = '', ...found } = await bundler.call('GetCalls', { account, id })
      return {
        version: '2.0.0',
        id,
        chainId: toHex(BigInt(chainId.slice('eip155:'.length))),
        status: found.status ?? 0,
        atomic: found.atomic === true,
        receipts: (found.receipts ?? []).map(({ logs = [], ...receipt }) => ({
          ...receipt,
          logs: logs.map(({ topics = [], ...log }) => ({ ...log, topics })),
        })),
      }
    },
  }
}

function authorizationJson(
  { chainId, address, nonce }: { chainId: number; address: Hex; nonce: number },
  signature: Hex,
): AuthorizationJson {
  const { r, s, yParity } = parseSignature(signature)
  return { chainId: toHex(chainId), address, nonce: toHex(nonce), yParity: toHex(yParity ?? 0), r, s }
}
