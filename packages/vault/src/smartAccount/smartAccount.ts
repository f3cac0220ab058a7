import { encodeFunctionData, type Hex, parseAbi, parseSignature } from 'viem'
import type { SignRequest } from '../keys/signer.ts'
import { addressesOf, canDelegate, hybridAt, hybridOf, isOffered, UNSUPPORTED_CHAIN } from './accountChain.ts'
import { type BundlerClient, BundlerError, failingCalls } from './bundlerClient.ts'
import type { AccountChain, CallsStatus } from './bundlerTypes.ts'
import { type HybridAccount, undeployedSignature } from './hybridAccount.ts'
import {
  type CheckSupport,
  checkGas,
  checkSupport,
  type MinimumBalance,
  withCheck,
} from './minimumBalances.ts'
import { hasPinnedAccounts } from './pinned.ts'
import {
  type AccountCall,
  type AccountCode,
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

/** A transaction that ends the delegation of an account (EIP-7702), which is not signed yet. */
export interface PreparedRemoval {
  readonly chainId: string
  readonly account: Hex
  /** Of the transaction; its authorization has the next one. */
  readonly nonce: number
  readonly operation: OperationFees
  /** The most that the account pays for gas, in wei. */
  readonly maxFee: bigint
  readonly delegate: undefined
}

/** What a unit of gas may cost at most, in wei. */
type OperationFees = Pick<UserOperation, 'maxFeePerGas' | 'maxPriorityFeePerGas'>

interface OperationDraft {
  readonly chain: AccountChain
  readonly owner: Hex
  readonly sender: Hex
  readonly calls: readonly AccountCall[]
  readonly fees: OperationFees
}

export interface SmartAccounts {
  /** Returns what smart accounts can do on each network. It is fetched once. */
  chains(): Promise<readonly AccountChain[]>
  /** Returns the networks that have smart accounts, as CAIP-2 ids. */
  networks(): Promise<readonly string[]>
  /**
   * Returns the addresses of the smart accounts of a key: first that of the key itself, or of its HybridDeleGator where accounts cannot delegate. On
   * networks whose accounts can, the HybridDeleGator is second, since it may hold tokens from before. Empty on networks without smart accounts.
   */
  addresses(chainId: string, owner: Hex): Promise<readonly Hex[]>
  /** Reports whether the first smart account of a key runs its code. */
  isDeployed(chainId: string, owner: Hex): Promise<boolean>
  /** Answers `wallet_getCapabilities` (EIP-5792) for an account on one network; `owner` is the address of the user's key. */
  capabilities(chainId: string, account: string, owner: Hex): Promise<Record<string, unknown>>
  /** Reports whether an account delegates to the known code (EIP-7702). @throws BundlerError 5710 where accounts cannot */
  isDelegated(chainId: string, account: Hex): Promise<boolean>
  /**
   * Wraps a signature of the key as one of its contract at `account` (ERC-1271, and ERC-6492 before it is
   * deployed).
   *
   * @throws BundlerError 5710
   */
  contractSignature(chainId: string, owner: Hex, account: Hex, signature: Hex): Promise<Hex>
  /** Fills in the gas, fees and paymaster of calls of a smart account of a key, the first by default. @throws FailingCallsError, BundlerError */
  prepare(
    chainId: string,
    owner: Hex,
    calls: readonly AccountCall[],
    account?: Hex,
  ): Promise<PreparedOperation>
  /**
   * Prepares an operation again, with the same fees for each unit of gas, and with a check after its calls: all of it reverts if the account then has less
   * than a minimum. Where the network has no such check, the operation stays as it is.
   *
   * @throws BundlerError when it would fail, when it would cost more than `maxFee` and `checkFee` of the first, and when the account would delegate to
   * other code
   */
  prepareWithMinimums(
    prepared: PreparedOperation,
    minimums: readonly MinimumBalance[],
  ): Promise<PreparedOperation>
  /** Signs and sends an operation, under an id of the site or a new one. Returns the id. @throws BundlerError */
  send(
    prepared: PreparedOperation,
    sign: (request: SignRequest) => Promise<string>,
    id?: string,
  ): Promise<string>
  /** Prepares a transaction of the account itself that ends its delegation, and that it pays for. @throws BundlerError */
  prepareRemoval(chainId: string, account: Hex): Promise<PreparedRemoval>
  /** Signs and sends a removal. Returns the id of the calls. @throws BundlerError */
  sendRemoval(prepared: PreparedRemoval, sign: (request: SignRequest) => Promise<string>): Promise<string>
  /** Answers `wallet_getCallsStatus` (EIP-5792) for calls of any account of a key. @throws BundlerError 5730 */
  status(owner: Hex, id: string): Promise<CallsStatus>
}

const UNKNOWN_CALLS = 5730
const INTERNAL = -32603
const FEE_TOO_HIGH = 'The network fee would be higher than the one that was approved'
const OTHER_CODE = 'The account would run another code than the one that was approved'
const entryPointAbi = parseAbi(['function getNonce(address sender, uint192 key) view returns (uint256)'])
/** Prefix of the code of an account that delegates (EIP-7702). */
const DELEGATION = '0xef0100'
/** The zero address as the target of an authorization removes the delegation (EIP-7702). */
const NO_DELEGATE: Hex = '0x0000000000000000000000000000000000000000'
/** Gas of a transaction with one authorization: 21,000 and 25,000, and what a transfer to an account with code uses. */
const REMOVAL_GAS = 60_000n
/** What replaces the signature of an authorization while its gas is estimated. */
const dummyWord: Hex = `0x${'1'.repeat(64)}`

/**
 * Creates the client of smart accounts: those of keys that delegate to EIP7702StatelessDeleGator, and a HybridDeleGator of the key on networks without
 * EIP-7702.
 */
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

  /** Returns what is offered on a network, by contracts that this build knows. */
  async function find(chainId: string): Promise<AccountChain | undefined> {
    return (await offered()).find((chain) => chain.chainId === chainId)
  }

  async function offered(): Promise<readonly AccountChain[]> {
    return (await chains()).filter((chain) => isOffered(chain) && hasPinnedAccounts(chain))
  }

  async function chain(chainId: string): Promise<AccountChain> {
    const found = await find(chainId)
    if (found) return found
    const isNamed = (await chains()).some((named) => named.chainId === chainId && isOffered(named))
    throw new BundlerError(
      UNSUPPORTED_CHAIN,
      isNamed
        ? 'The server names contracts of smart accounts that this wallet does not know'
        : 'The network has no smart accounts',
    )
  }

  async function isHybridDeployed(chainId: string, { address }: HybridAccount): Promise<boolean> {
    return (await node(chainId, 'eth_getCode', [address, 'latest'])) !== '0x'
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

  /** Adds the signature of the paymaster that was shown to pay. @throws BundlerError when another one, or none, would */
  async function sponsorAsShown(on: AccountChain, operation: UserOperation): Promise<UserOperation> {
    const sponsored = await sponsor(on, operation, 'pm_getPaymasterData')
    if (sponsored.paymaster?.toLowerCase() === operation.paymaster?.toLowerCase()) return sponsored
    throw new BundlerError(INTERNAL, FEE_TOO_HIGH)
  }

  /** Returns the fields of an operation whose account does not run its code yet. */
  async function deployment(
    on: AccountChain,
    owner: Hex,
    hybrid: HybridAccount | undefined,
    authorizationNonce: number,
  ) {
    const chainId = String(on.chainId)
    if (hybrid) {
      if (await isHybridDeployed(chainId, hybrid)) return {}
      return { factory: hybrid.factory, factoryData: hybrid.factoryData }
    }
    const implementation = on.implementation as Hex
    if (await isDelegatedTo(chainId, owner, implementation)) return {}
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

  async function prepare(
    chainId: string,
    owner: Hex,
    calls: readonly AccountCall[],
    account?: Hex,
  ): Promise<PreparedOperation> {
    const on = await chain(chainId)
    const sender = account ?? addressesOf(on, owner)[0] ?? owner
    const [price, check] = await Promise.all([
      bundler.rpc(chainId, 'pimlico_getUserOperationGasPrice', []),
      checkSupport((address) => node(chainId, 'eth_getCode', [address, 'latest'])),
    ])
    const { standard } = price as { standard: OperationFees }
    const prepared = await fillIn({ chain: on, owner, sender, calls, fees: standard })
    const checkFee = prepared.operation.paymaster ? 0n : checkGas(check) * BigInt(standard.maxFeePerGas)
    return { ...prepared, calls, check, checkFee }
  }

  async function prepareWithMinimums(
    first: PreparedOperation,
    minimums: readonly MinimumBalance[],
  ): Promise<PreparedOperation> {
    const calls = withCheck(first.calls, minimums, first.check)
    if (calls === first.calls) return first
    const { maxFeePerGas, maxPriorityFeePerGas, sender } = first.operation
    const fees = { maxFeePerGas, maxPriorityFeePerGas }
    const prepared = await fillIn({ chain: first.chain, owner: first.owner, sender, calls, fees })
    if (prepared.maxFee > first.maxFee + first.checkFee) throw new BundlerError(INTERNAL, FEE_TOO_HIGH)
    if (prepared.delegate !== first.delegate) throw new BundlerError(INTERNAL, OTHER_CODE)
    return { ...first, ...prepared }
  }

  /** Fills in the nonce, the gas and the paymaster of an operation. */
  async function fillIn({ chain: on, owner, sender, calls, fees }: OperationDraft) {
    const chainId = String(on.chainId)
    const hybrid = sender === owner ? undefined : hybridAt(on, owner, sender)
    const entryPoint = on.entryPoint as Hex
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
      ...(await deployment(on, owner, hybrid, authorizationNonce)),
    }
    const sponsored = await sponsor(on, draft, 'pm_getPaymasterStubData')
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
      chain: on,
      owner,
      code: hybrid ? ('HybridDeleGator' as const) : ('EIP7702StatelessDeleGator' as const),
      operation,
      delegate: operation.eip7702Auth?.address,
      authorizationNonce,
      maxFee: operation.paymaster ? 0n : maxCostOf(operation),
    }
  }

  async function send(
    { chain, code, operation, delegate, authorizationNonce }: PreparedOperation,
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
    if (final.paymaster) final = await sponsorAsShown(chain, final)
    const data = operationTypedData(final, chainId, entryPoint, code)
    final = { ...final, signature: (await sign({ kind: 'typedData', data })) as Hex }
    const sent = await bundler.call('SendCalls', {
      chainId: String(chain.chainId),
      account: operation.sender,
      id,
      entryPoint,
      userOperation: final,
    })
    return sent.id ?? id
  }

  async function prepareRemoval(chainId: string, account: Hex): Promise<PreparedRemoval> {
    const [count, price] = await Promise.all([
      node(chainId, 'eth_getTransactionCount', [account, 'pending']),
      bundler.rpc(chainId, 'pimlico_getUserOperationGasPrice', []),
    ])
    const { standard } = price as { standard: OperationFees }
    const { maxFeePerGas, maxPriorityFeePerGas } = standard
    return {
      chainId,
      account,
      nonce: Number(BigInt(String(count))),
      operation: { maxFeePerGas, maxPriorityFeePerGas },
      maxFee: REMOVAL_GAS * BigInt(maxFeePerGas),
      delegate: undefined,
    }
  }

  async function sendRemoval(
    { chainId, account, nonce, operation: { maxFeePerGas, maxPriorityFeePerGas } }: PreparedRemoval,
    sign: (request: SignRequest) => Promise<string>,
  ): Promise<string> {
    const number = Number(chainId.slice('eip155:'.length))
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
      maxFeePerGas: BigInt(maxFeePerGas),
      maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
      authorizationList: [{ ...authorization, r, s, yParity: yParity ?? 0 }],
    } as const
    const raw = await sign({ kind: 'transaction', transaction })
    const sent = await bundler.call('SendCalls', { chainId, account, transactions: [raw] })
    return sent.id ?? ''
  }

  async function addresses(chainId: string, owner: Hex): Promise<readonly Hex[]> {
    const found = await find(chainId)
    return found ? addressesOf(found, owner) : []
  }

  async function delegating(chainId: string): Promise<AccountChain> {
    const found = await chain(chainId)
    if (!canDelegate(found))
      throw new BundlerError(UNSUPPORTED_CHAIN, 'Accounts of the network cannot delegate')
    return found
  }

  /** Returns the calls under an id, of the first account that sent any. */
  async function callsOf(owner: Hex, id: string) {
    const hybrids = (await offered()).flatMap((on) => hybridOf(on, owner)?.address ?? [])
    let unknown: unknown
    for (const account of new Set([owner, ...hybrids])) {
      try {
        return await bundler.call('GetCalls', { account, id })
      } catch (error) {
        if (!(error instanceof BundlerError) || error.code !== UNKNOWN_CALLS) throw error
        unknown = error
      }
    }
    throw unknown
  }

  return {
    chains,
    networks: async () => (await offered()).map(({ chainId }) => String(chainId)),
    addresses,
    async isDeployed(chainId, owner) {
      const found = await find(chainId)
      if (!found) return false
      const hybrid = canDelegate(found) ? undefined : hybridOf(found, owner)
      return hybrid
        ? isHybridDeployed(chainId, hybrid)
        : isDelegatedTo(chainId, owner, found.implementation ?? '')
    },
    async capabilities(chainId, account, owner) {
      const found = await find(chainId)
      const isOwn =
        found && addressesOf(found, owner).some((own) => own.toLowerCase() === account.toLowerCase())
      if (!isOwn) return { atomic: { status: 'unsupported' } }
      return { atomic: { status: 'supported' }, paymasterService: { supported: found.paymaster === true } }
    },
    async isDelegated(chainId, account) {
      const { implementation = '' } = await delegating(chainId)
      return isDelegatedTo(chainId, account, implementation)
    },
    async contractSignature(chainId, owner, account, signature) {
      const hybrid = hybridAt(await chain(chainId), owner, account)
      return (await isHybridDeployed(chainId, hybrid)) ? signature : undeployedSignature(hybrid, signature)
    },
    prepare,
    prepareWithMinimums,
    send,
    prepareRemoval,
    sendRemoval,
    async status(owner, id) {
      const { chainId = '', ...found } = await callsOf(owner, id)
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
