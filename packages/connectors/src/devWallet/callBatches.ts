import type { Hex } from 'viem'
import type { LocalAccount, PrivateKeyAccount } from 'viem/accounts'
import { encodeFunctionData, isHex, numberToHex, parseAbi } from 'viem/utils'
import type { BatchSigner, CallBatch } from '../pageWallet/batches.ts'
import { ProviderError, providerErrorCode } from '../pageWallet/providerError.ts'
import { requestNode } from './node.ts'

/** Prefix of the code of a delegating account (EIP-7702). */
const DELEGATION = '0xef0100'

const batchAccount = parseAbi([
  'struct Call { address to; uint256 value; bytes data; }',
  'function execute(Call[] calls) payable',
])

export interface CallBatchesOptions {
  readonly account: LocalAccount
  /** Contracts that the account delegates to (EIP-7702), by chain id. */
  readonly batchAccounts: Readonly<Record<number, Hex>>
  /** The node of a chain. @throws ProviderError when there is none */
  readonly nodeOf: (chainId: number) => string
}

/** Sends a batch of calls as one transaction, by delegating the account to a contract (EIP-7702). */
export function createCallBatches({ account, batchAccounts, nodeOf }: CallBatchesOptions): BatchSigner {
  const sent = new Map<string, { chainId: number; hash: string }>()

  function delegateOn(chainId: string): Hex {
    const delegate = batchAccounts[Number(chainId)]
    if (delegate) return delegate
    throw new ProviderError(
      providerErrorCode.unsupportedBatchChain,
      `No batches are sent on chain ${chainId}.`,
    )
  }

  return {
    capabilities(chainIds = Object.keys(batchAccounts)) {
      const carrying = chainIds.map(Number).filter((chainId) => batchAccounts[chainId])
      return Object.fromEntries(
        carrying.map((chainId) => [numberToHex(chainId), { atomic: { status: 'supported' } }]),
      )
    },

    check(batch) {
      requireSound(batch)
      delegateOn(batch.chainId)
      if (batch.id === undefined || !sent.has(batch.id)) return
      throw new ProviderError(providerErrorCode.duplicateBatch, `A batch ${batch.id} was sent before.`)
    },

    async send({ chainId, calls, id }) {
      const chain = Number(chainId)
      const hash = await sendCalls(account, nodeOf(chain), chain, delegateOn(chainId), calls)
      sent.set(id ?? hash, { chainId: chain, hash })
      return id ?? hash
    },

    async status(id) {
      const batch = sent.get(id)
      if (!batch) throw new ProviderError(providerErrorCode.unknownBatch, `No batch ${id} was sent.`)
      const { chainId, hash } = batch
      const receipt = (await requestNode(nodeOf(chainId), 'eth_getTransactionReceipt', [
        hash,
      ])) as Receipt | null
      return { version: '2.0.0', id, chainId: numberToHex(chainId), atomic: true, ...outcomeOf(receipt) }
    },
  }
}

interface Receipt {
  readonly status: string
  readonly transactionHash: string
  readonly blockHash: string
  readonly blockNumber: string
  readonly gasUsed: string
  readonly logs: readonly unknown[]
}

function outcomeOf(receipt: Receipt | null) {
  if (!receipt) return { status: 100 }
  const { status, transactionHash, blockHash, blockNumber, gasUsed, logs } = receipt
  const receipts = [{ status, transactionHash, blockHash, blockNumber, gasUsed, logs }]
  return { status: status === '0x1' ? 200 : 500, receipts }
}

function requireSound({ version, calls, capabilities = {} }: CallBatch): void {
  const { invalidParams, unsupportedCapability } = providerErrorCode
  if (version !== '2.0.0')
    throw new ProviderError(invalidParams, `Batches are of version 2.0.0, not ${version}.`)
  if (!calls?.length) throw new ProviderError(invalidParams, 'A batch needs calls.')
  if (calls.some(({ to }) => !to))
    throw new ProviderError(invalidParams, 'A call of a batch needs a recipient.')
  const needed = Object.entries(capabilities).find(([, { optional }]) => !optional)
  if (needed) throw new ProviderError(unsupportedCapability, `${needed[0]} is not supported.`)
}

async function sendCalls(
  account: LocalAccount,
  node: string,
  chainId: number,
  delegate: Hex,
  calls: CallBatch['calls'],
): Promise<string> {
  const own = account.address
  const data = encodeFunctionData({ abi: batchAccount, functionName: 'execute', args: [calls.map(callOf)] })
  const [count, code, gasPrice, tip] = (await Promise.all([
    requestNode(node, 'eth_getTransactionCount', [own, 'pending']),
    requestNode(node, 'eth_getCode', [own, 'latest']),
    requestNode(node, 'eth_gasPrice', []),
    requestNode(node, 'eth_maxPriorityFeePerGas', []),
  ])) as [string, string, string, string]
  const nonce = Number(count)
  const isDelegated = code.toLowerCase() === `${DELEGATION}${delegate.slice(2).toLowerCase()}`
  const authorizations = isDelegated ? [] : [await signNextAuthorization(account, delegate, chainId, nonce)]
  const authorizationList = authorizations.map(({ address, r, s, yParity = 0 }) => ({
    address,
    chainId: numberToHex(chainId),
    nonce: numberToHex(nonce + 1),
    r,
    s,
    yParity: numberToHex(yParity),
  }))
  const call = { from: own, to: own, data, ...(!isDelegated && { authorizationList }) }
  const gas = (await requestNode(node, 'eth_estimateGas', [call])) as string
  const unsigned = {
    chainId,
    nonce,
    to: own,
    data,
    gas: (BigInt(gas) * 13n) / 10n, // other trades before this one may raise the gas of a call
    maxFeePerGas: BigInt(gasPrice) * 2n,
    maxPriorityFeePerGas: BigInt(tip),
  }
  const signed = isDelegated
    ? await account.signTransaction({ ...unsigned, type: 'eip1559' })
    : await account.signTransaction({ ...unsigned, type: 'eip7702', authorizationList: authorizations })
  return (await requestNode(node, 'eth_sendRawTransaction', [signed])) as string
}

/** Signs an authorization. It has the next nonce, because the transaction uses the current one. */
function signNextAuthorization(account: LocalAccount, address: Hex, chainId: number, nonce: number) {
  const { signAuthorization } = account as PrivateKeyAccount
  return signAuthorization({ address, chainId, nonce: nonce + 1 })
}

function callOf({ to, data, value }: CallBatch['calls'][number]) {
  return { to: to as Hex, value: BigInt(value ?? '0x0'), data: isHex(data) ? data : '0x' } as const
}
