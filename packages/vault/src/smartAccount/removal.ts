import { type Hex, parseSignature } from 'viem'
import type { Sign } from '../keys/signer.ts'
import type { AccountsClient } from './accountsClient.ts'
import type { OperationFees } from './userOperation.ts'

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

/** The zero address as the target of an authorization removes the delegation (EIP-7702). */
const NO_DELEGATE: Hex = '0x0000000000000000000000000000000000000000'
/** Gas of a transaction with one authorization: 21,000 and 25,000, and what a transfer to an account with code uses. */
const REMOVAL_GAS = 60_000n

/** Prepares the transaction, as `SmartAccounts.prepareRemoval` does. */
export async function prepareRemoval(
  { bundler, node }: AccountsClient,
  chainId: string,
  account: Hex,
): Promise<PreparedRemoval> {
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

/** Signs and sends the transaction, as `SmartAccounts.sendRemoval` does. */
export async function sendRemoval(
  { bundler }: AccountsClient,
  { chainId, account, nonce, operation: { maxFeePerGas, maxPriorityFeePerGas } }: PreparedRemoval,
  sign: Sign,
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
