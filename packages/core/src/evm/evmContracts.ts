import { WalletError } from '../errors/walletFailure.ts'
import type { BatchStatus, ContractCall, Contracts } from '../types/adapter.ts'
import { chainIdIn, requireNetwork } from './chainId.ts'
import { hexQuantity, words } from './evmCalls.ts'
import { signatureOf, transactionHash } from './walletAnswers.ts'

/** Code prefix of an EIP-7702 delegation: such an account still signs with its own key. */
const DELEGATION_PREFIX = '0xef0100'

/** `balanceOf(address)` of ERC-20. */
const BALANCE_SELECTOR = '0x70a08231'

/** `decimals()` of ERC-20. */
const DECIMALS_SELECTOR = '0x313ce567'

/** `Transfer(address,address,uint256)` of ERC-20. */
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Requests calls, typed data and batches from EVM wallets. */
export const evmContracts: Contracts<'eip155'> = {
  async send({ provider }, from, call, caipNetworkId, gasLimit) {
    await requireNetwork(provider, caipNetworkId)
    const chainId = chainIdIn(caipNetworkId)
    const transaction = { from, ...written(call), chainId, ...(gasLimit && { gas: hexQuantity(gasLimit) }) }
    return transactionHash(await provider.request({ method: 'eth_sendTransaction', params: [transaction] }))
  },

  async signTypedData({ provider }, from, typedData, caipNetworkId) {
    await requireNetwork(provider, caipNetworkId)
    return signatureOf(await provider.request({ method: 'eth_signTypedData_v4', params: [from, typedData] }))
  },

  async carriesBatches({ provider }, from, caipNetworkId) {
    const chainId = chainIdIn(caipNetworkId)
    const params = [from, [chainId]]
    const answer = await provider.request({ method: 'wallet_getCapabilities', params })
    const capabilities = (answer as Record<string, Capabilities | undefined> | null)?.[chainId]
    return capabilities?.atomic?.status === 'supported' || capabilities?.atomicBatch?.supported === true
  },

  async sendBatch({ provider }, from, calls, caipNetworkId) {
    await requireNetwork(provider, caipNetworkId)
    const chainId = chainIdIn(caipNetworkId)
    const batch = { version: '2.0.0', from, chainId, atomicRequired: true, calls: calls.map(written) }
    const answer = await provider.request({ method: 'wallet_sendCalls', params: [batch] })
    const id = typeof answer === 'string' ? answer : (answer as { id?: unknown } | null)?.id
    if (typeof id !== 'string') throw new WalletError('unreadable', 'The wallet named no batch')
    return id
  },

  async readWord({ provider }, contract, data, caipNetworkId) {
    await requireNetwork(provider, caipNetworkId)
    const answer = await provider.request({ method: 'eth_call', params: [{ to: contract, data }, 'latest'] })
    return typeof answer === 'string' && /^0x[0-9a-f]{64}$/i.test(answer) ? answer.toLowerCase() : undefined
  },

  async decimals(session, token, caipNetworkId) {
    const word = await evmContracts.readWord(session, token, DECIMALS_SELECTOR, caipNetworkId)
    return word === undefined ? undefined : Number(word)
  },

  async batchStatus({ provider }, id) {
    const answer = await provider.request({ method: 'wallet_getCallsStatus', params: [id] })
    return batchStatusOf(answer as CallsStatus | null)
  },

  async received(node, hash, token, owner) {
    const receipt = (await node('eth_getTransactionReceipt', [hash])) as Receipt | null
    // Another transaction's receipt says nothing about this one.
    if (!receipt?.transactionHash || !isSame(receipt.transactionHash, hash)) return undefined
    return receipt.logs && balanceChange(receipt.logs, token, owner)
  },

  async balanceOf(node, token, owner, signal) {
    const call = { to: token, data: BALANCE_SELECTOR + words(BigInt(owner)) }
    return BigInt((await node('eth_call', [call, 'latest'], signal)) as string)
  },

  async isContract(node, address, signal) {
    const code = String(await node('eth_getCode', [address, 'latest'], signal))
    return code.length > 2 && !code.toLowerCase().startsWith(DELEGATION_PREFIX)
  },
}

/** The fields that are read of a transaction receipt (EIP-1474). */
interface Receipt {
  readonly transactionHash?: string
  readonly logs?: readonly Log[]
}

interface Log {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** Sums the transfers of a token for one account. */
function balanceChange(logs: readonly Log[], token: string, owner: string): bigint {
  let sum = 0n
  for (const { address, topics, data } of logs) {
    const [topic, from, to] = topics
    if (topic !== TRANSFER_TOPIC || !isSame(address, token)) continue
    if (isPadded(to, owner)) sum += BigInt(data)
    if (isPadded(from, owner)) sum -= BigInt(data)
  }
  return sum
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/** Reports whether a topic is the address, padded to 32 bytes. */
function isPadded(topic: string | undefined, address: string): boolean {
  return topic !== undefined && isSame(topic.slice(-40), address.slice(2))
}

interface Capabilities {
  readonly atomic?: { readonly status?: unknown }
  /** Name of the field before EIP-5792 was final. */
  readonly atomicBatch?: { readonly supported?: unknown }
}

interface CallsStatus {
  /** 1xx pending, 200 confirmed, 4xx to 6xx failed; text before EIP-5792 was final. */
  readonly status?: number | string
  readonly receipts?: readonly { readonly transactionHash?: string; readonly status?: string }[]
}

function batchStatusOf(answer: CallsStatus | null): BatchStatus {
  const { status, receipts = [] } = answer ?? {}
  const last = receipts.at(-1)?.transactionHash
  const hash = last === undefined ? undefined : transactionHash(last)
  if (status === 'CONFIRMED' || status === 200) {
    return { status: receipts.some((receipt) => receipt.status === '0x0') ? 'reverted' : 'success', hash }
  }
  return { status: Number(status) >= 400 ? 'reverted' : 'pending', hash }
}

function written({ to, data, value }: ContractCall) {
  return { to, data, value: hexQuantity(value) }
}
