import { type Hex, keccak256 } from 'viem'
import { FailingCallsError } from '../smartAccount/bundlerClient.ts'
import type { CallView } from './approvalView.ts'
import { callsIdOf, callsStatus, expectFewCalls, readCallsId, unsentCalls, unsentWord } from './calls.ts'
import { caipNetworkId, evmChainId } from './chainId.ts'
import { FrameError, providerErrorCode } from './frameError.ts'
import { minimumsOf } from './minimums.ts'
import { type Node, UnansweredError } from './node.ts'
import { operationView } from './operationView.ts'
import { expectAddress, field, isSameAddress, list } from './params.ts'
import type { AnswerContext, SigningContext } from './signingContext.ts'
import {
  dataOf,
  estimateGas,
  feesOf,
  gasOf,
  isFarAbove,
  networkFees,
  type PreparedTransaction,
  prepareTransaction,
  priceOf,
  type TransactionRequest,
  transactionRequest,
  UNKNOWN_GAS,
} from './transaction.ts'
import { requestedAccount, type UserAccount } from './userAccount.ts'

/** The statuses of EIP-5792 from which calls have failed. */
const FAILED = 400
const RECEIPT_POLL_MS = 500
/** How much more gas than estimated a later call of a batch may need, in percent, as the calls before it change the state. */
const LATER_GAS_PERCENT = 150n
/** Longer than the bundler tries: an operation that is not confirmed after it may still be. */
const RECEIPT_TIMEOUT_MS = 10 * 60_000
const FEE_TOO_HIGH = 'The network fee would be higher than the one that was approved'
const NOT_CONFIRMED =
  'The transaction was sent, and the network has not confirmed it yet. Do not send it again'

/** Answers `wallet_getCapabilities` (EIP-5792), for the current network unless others are named. */
export async function getCapabilities(
  { chainId, addresses, smartAccounts }: AnswerContext,
  params: unknown,
): Promise<unknown> {
  const [address, chains] = list(params)
  const owner = (await addresses()).eip155 as Hex
  const ids = Array.isArray(chains) ? chains.map(String) : [`0x${evmChainId(chainId).toString(16)}`]
  const own = await Promise.all(ids.map((id) => smartAccounts.addresses(caipNetworkId(id), owner)))
  expectAddress(address, owner, ...own.flat())
  const entries = ids.map(
    async (id) => [id, await smartAccounts.capabilities(caipNetworkId(id), String(address), owner)] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

/** Answers `wallet_getCallsStatus` (EIP-5792). */
export async function getCallsStatus(
  { node, addresses, smartAccounts }: AnswerContext,
  params: unknown,
): Promise<unknown> {
  const id = String(list(params)[0] ?? '')
  if (readCallsId(id)) return callsStatus(node, id)
  return smartAccounts.status((await addresses()).eip155 as Hex, id)
}

/** Answers `eth_sendTransaction`: the hash of the transaction. */
export async function sendTransaction(context: SigningContext, params: unknown): Promise<unknown> {
  const [request] = list(params)
  const account = await requestedAccount(context, field(request, 'from'))
  if (account.isContract) return sendByContract(context, account, request)
  const { words } = await sendAll(context, [request])
  const [hash] = words
  return hash
}

/**
 * Sends a transaction as an operation of an account that is a contract, and waits until it is in a block. Returns the hash of the bundler's
 * transaction, whose own status is not that of the operation. @throws FrameError when the operation failed
 */
async function sendByContract(
  context: SigningContext,
  { address }: UserAccount,
  request: unknown,
): Promise<unknown> {
  const { addresses, smartAccounts } = context
  const id = await sendAtOnce(context, address, [request], undefined)
  for (let waited = 0; waited < RECEIPT_TIMEOUT_MS; waited += RECEIPT_POLL_MS) {
    // A status that cannot be read does not tell whether the operation failed.
    const read = await smartAccounts.status(addresses.eip155 as Hex, id).catch(() => undefined)
    if (read && read.status >= FAILED)
      throw new FrameError('The transaction failed', providerErrorCode.internal)
    const [receipt] = (read?.receipts ?? []) as { transactionHash?: string }[]
    if (receipt?.transactionHash) return receipt.transactionHash
    await new Promise((resolve) => setTimeout(resolve, RECEIPT_POLL_MS))
  }
  throw new FrameError(NOT_CONFIRMED, providerErrorCode.internal)
}

/**
 * Answers `wallet_sendCalls` (EIP-5792): at once by the smart account, or one transaction after the other where the network has none or the
 * user prefers the plain account.
 */
export async function sendCalls(context: SigningContext, params: unknown): Promise<unknown> {
  const [request] = list(params)
  const {
    id,
    from,
    calls,
    atomicRequired,
    chainId = context.chainId,
  } = (request ?? {}) as Record<string, unknown>
  const own = { ...context, chainId: caipNetworkId(chainId) }
  const owner = own.addresses.eip155 as Hex
  const account = await requestedAccount(own, from)
  const isRequired = atomicRequired === true
  const smart = await own.smartAccounts.addresses(own.chainId, owner)
  const isSmart = smart.some((address) => isSameAddress(account.address, address))
  if (isRequired && !isSmart)
    throw new FrameError('The account cannot send calls at once', providerErrorCode.atomicityUnsupported)
  const requests = list(calls).map(callOf)
  expectFewCalls(requests)
  if (isSmart && (isRequired || account.isContract || own.preferredAccount() === 'smartAccount'))
    return { id: await sendAtOnce(own, account.address, requests, typeof id === 'string' ? id : undefined) }
  const { words, message } = await sendAll(own, requests)
  const unsent = unsentCalls(words)
  return {
    id: callsIdOf(evmChainId(own.chainId), words),
    ...(unsent && { capabilities: { unsentCalls: { ...unsent, message } } }),
  }
}

/** Returns a call without the members that EIP-5792 does not have: its fees, gas and nonce are the wallet's. */
function callOf(call: unknown): object {
  const members = ['to', 'value', 'data', 'input'].map((name) => [name, field(call, name)] as const)
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

/** Sends calls as one operation of the smart account. Returns its id. */
async function sendAtOnce(
  context: SigningContext,
  from: Hex,
  requests: readonly unknown[],
  id: string | undefined,
): Promise<string> {
  const { vault, node, addresses, chainId, approve, smartAccounts } = context
  const calls = requests.map((request) => {
    const valid = checkTransaction(request, from, chainId)
    const { to, value = '0x0' } = valid
    if (!to) throw new FrameError('A smart account cannot deploy a contract', providerErrorCode.invalidParams)
    return { to: to as Hex, value: BigInt(value), data: dataOf(valid) }
  })
  if (calls.length === 0) throw new FrameError('There is nothing to send', providerErrorCode.invalidParams)
  const preparing = smartAccounts.prepare(chainId, addresses.eip155 as Hex, calls, from)
  const [prepared, network] = await Promise.all([
    preparing.catch((error) => showFailing(context, from, calls, error)),
    networkFees(node, chainId),
  ])
  const { operation } = prepared
  const { delegate, isHighFee } = operationView(prepared, network)
  const maxFee = prepared.maxFee + prepared.checkFee
  const shown = await approve(chainId, from, {
    kind: 'calls',
    calls: calls.map((call, at) => (at === 0 ? { ...call, gas: BigInt(operation.callGasLimit) } : call)),
    isAtomic: true,
    maxFee,
    fees: {
      type: 'eip1559',
      maxFeePerGas: BigInt(operation.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(operation.maxPriorityFeePerGas),
    },
    isHighFee,
    delegate,
  })
  const checked = await smartAccounts.prepareWithMinimums(prepared, minimumsOf(shown, maxFee))
  return smartAccounts.send(checked, (request) => vault.sign(request), id)
}

/** Shows calls that would fail, which cannot be approved. @throws the error that they failed with, once the user has closed them */
async function showFailing(
  { chainId, approve }: SigningContext,
  from: Hex,
  calls: readonly CallView[],
  error: unknown,
): Promise<never> {
  if (error instanceof FailingCallsError) {
    const { delegate, message: failure } = error
    const content = { kind: 'calls', calls, isAtomic: true, maxFee: undefined, isHighFee: false } as const
    await approve(chainId, from, { ...content, delegate, failure }).catch(() => undefined)
  }
  throw error
}

interface SentCalls {
  /** The hash of each call, or an `unsentWord`. */
  readonly words: readonly string[]
  /** Why the first call that was not sent was not; undefined if all were. */
  readonly message: string | undefined
}

/**
 * Sends calls as transactions one after the other, after one approval of all of them. Ends at the first that cannot be sent: with its
 * error if it is the first of all, or else with an `unsentWord` for it and the rest, as the site has to learn what was sent.
 */
async function sendAll(context: SigningContext, requests: readonly unknown[]): Promise<SentCalls> {
  const { vault, node, addresses, chainId, approve } = context
  const from = addresses.eip155
  const valid = requests.map((request) => checkTransaction(request, from, chainId))
  if (valid.length === 0) throw new FrameError('There is nothing to send', providerErrorCode.invalidParams)
  const [only = {}, ...later] = valid
  if (only.nonce !== undefined) await expectNext(node, chainId, from, only.nonce)
  const loading = networkFees(node, chainId).then((network) => ({ network, fees: feesOf(only, network) }))
  // Later calls may depend on earlier ones, so that only the first can be estimated exactly before it is sent.
  const estimating = gasOf(node, chainId, from, only)
  const [{ network, fees }, { usual, failure }, first, mostGas] = await Promise.all([
    loading,
    estimating,
    prepareTransaction(
      node,
      chainId,
      from,
      only,
      loading.then(({ fees }) => fees),
      estimating.then(({ limit }) => limit),
    ),
    Promise.all(later.map((request) => mostGasOf(node, chainId, from, request))),
  ])
  const calls = valid.map((request, at) => ({
    to: request.to,
    value: BigInt(request.value ?? '0x0'),
    data: dataOf(request),
    ...(at === 0 ? { gas: first.gas } : {}),
  }))
  const sumOf = (gas: bigint) => mostGas.reduce((sum, later) => sum + later, gas)
  const maxFee = priceOf(fees) * sumOf(first.gas)
  const isHighFee = isFarAbove(maxFee, priceOf(network) * sumOf(usual))
  await approve(chainId, from, {
    kind: 'calls',
    calls,
    isAtomic: false,
    maxFee,
    fees,
    isHighFee,
    delegate: undefined,
    failure,
  })

  const send = async (transaction: PreparedTransaction) =>
    submit(node, chainId, (await vault.sign({ kind: 'transaction', transaction })) as Hex)
  const hashes = [await send(first)]
  try {
    for (const [at, request] of later.entries()) {
      const nonce = nonceAfter(first, hashes.length)
      const prepared = await prepareTransaction(node, chainId, from, { ...request, nonce }, fees)
      if (prepared.gas > (mostGas[at] ?? 0n)) throw new FrameError(FEE_TOO_HIGH, providerErrorCode.internal)
      hashes.push(await send(prepared))
    }
  } catch (error) {
    const { message, code } =
      error instanceof FrameError
        ? error
        : new FrameError('The transaction failed', providerErrorCode.internal)
    const unsent = valid.slice(hashes.length).map(() => unsentWord(code))
    return { words: [...hashes, ...unsent], message }
  }
  return { words: hashes, message: undefined }
}

/**
 * Refuses a nonce that a site names unless it is the next one of the account: a lower one would replace a pending transaction, and a higher one would be
 * valid at an unknown later time.
 *
 * @throws FrameError -32602
 */
async function expectNext(node: Node, chainId: string, from: string, nonce: string): Promise<void> {
  const next = await node(chainId, 'eth_getTransactionCount', [from, 'pending'])
  if (BigInt(nonce) !== BigInt(String(next)))
    throw new FrameError('The nonce is not the next one of the account', providerErrorCode.invalidParams)
}

/** Returns the most gas that a later call of a batch may use. */
async function mostGasOf(
  node: Node,
  chainId: string,
  from: string,
  request: TransactionRequest,
): Promise<bigint> {
  try {
    const gas = BigInt((await estimateGas(node, chainId, from, request)) as string)
    return (gas * LATER_GAS_PERCENT) / 100n
  } catch {
    return UNKNOWN_GAS
  }
}

/** Sends a transaction. Without an answer it may have been sent: the site then follows it by its hash. */
async function submit(node: Node, chainId: string, raw: Hex): Promise<string> {
  try {
    return String(await node(chainId, 'eth_sendRawTransaction', [raw]))
  } catch (error) {
    if (!(error instanceof UnansweredError)) throw error
    return keccak256(raw)
  }
}

const nonceAfter = ({ nonce }: PreparedTransaction, count: number) => `0x${(nonce + count).toString(16)}`

function checkTransaction(request: unknown, own: string, chainId: string): TransactionRequest {
  if (!transactionRequest(request))
    throw new FrameError('The transaction is malformed or not supported', providerErrorCode.invalidParams)
  if (request.from !== undefined) expectAddress(request.from, own)
  if (request.chainId !== undefined && caipNetworkId(request.chainId) !== chainId)
    throw new FrameError('The transaction is for another network', providerErrorCode.invalidParams)
  return request
}
