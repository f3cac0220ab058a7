import { type Hex, parseSignature } from 'viem'
import type { Sign } from '../keys/signer.ts'
import type { AccountsClient } from './accountsClient.ts'
import { authorizationJson, type OperationFees } from './userOperation.ts'

/** What ends the delegation of an account (EIP-7702), which is not signed yet: an authorization that a sponsor sends, or a transaction with it. */
export interface PreparedRemoval {
  readonly chainId: string
  readonly account: Hex
  /** Of the transaction, whose authorization has the next one; of the authorization where a sponsor pays. */
  readonly nonce: number
  /** What the account pays for a unit of gas; undefined where a sponsor pays. */
  readonly operation: OperationFees | undefined
  /** The most that the account pays for gas, in wei; 0 where a sponsor pays. */
  readonly maxFee: bigint
  readonly delegate: undefined
}

/** Who pays for a removal. */
export type RemovalPayer = 'sponsor' | 'account'

/** The zero address as the target of an authorization removes the delegation (EIP-7702). */
const NO_DELEGATE: Hex = '0x0000000000000000000000000000000000000000'
/** Gas of a transaction with one authorization: 21,000 and 25,000, and what a transfer to an account with code uses. */
const REMOVAL_GAS = 60_000n

/** Prepares the removal, as `SmartAccounts.prepareRemoval` does. */
export async function prepareRemoval(
  client: AccountsClient,
  chainId: string,
  account: Hex,
  payer: RemovalPayer,
): Promise<PreparedRemoval> {
  const chain = (await client.chains()).find((named) => named.chainId === chainId)
  if (payer === 'sponsor' && chain?.removal === true) {
    const nonce = await nonceOf(client, chainId, account, 'latest')
    return { chainId, account, nonce, operation: undefined, maxFee: 0n, delegate: undefined }
  }
  const [nonce, price] = await Promise.all([
    nonceOf(client, chainId, account, 'pending'),
    client.bundler.rpc(chainId, 'pimlico_getUserOperationGasPrice', []),
  ])
  const { standard } = price as { standard: OperationFees }
  const { maxFeePerGas, maxPriorityFeePerGas } = standard
  return {
    chainId,
    account,
    nonce,
    operation: { maxFeePerGas, maxPriorityFeePerGas },
    maxFee: REMOVAL_GAS * BigInt(maxFeePerGas),
    delegate: undefined,
  }
}

async function nonceOf({ node }: AccountsClient, chainId: string, account: Hex, block: 'latest' | 'pending') {
  return Number(BigInt(String(await node(chainId, 'eth_getTransactionCount', [account, block]))))
}

/** Signs and sends the removal, as `SmartAccounts.sendRemoval` does. */
export async function sendRemoval(
  { bundler }: AccountsClient,
  { chainId, account, nonce, operation }: PreparedRemoval,
  sign: Sign,
): Promise<string> {
  const number = Number(chainId.slice('eip155:'.length))
  // The account's own transaction uses the nonce before that of its authorization.
  const authorization = { chainId: number, address: NO_DELEGATE, nonce: operation ? nonce + 1 : nonce }
  const signature = (await sign({ kind: 'authorization', authorization })) as Hex
  if (!operation) {
    const signed = authorizationJson(authorization, signature)
    const sent = await bundler.call('RemoveDelegation', { chainId, account, authorization: signed })
    return sent.id ?? ''
  }
  const { r, s, yParity } = parseSignature(signature)
  const transaction = {
    type: 'eip7702',
    chainId: number,
    nonce,
    to: account,
    value: 0n,
    gas: REMOVAL_GAS,
    maxFeePerGas: BigInt(operation.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(operation.maxPriorityFeePerGas),
    authorizationList: [{ ...authorization, r, s, yParity: yParity ?? 0 }],
  } as const
  const raw = await sign({ kind: 'transaction', transaction })
  const sent = await bundler.call('SendCalls', { chainId, account, transactions: [raw] })
  return sent.id ?? ''
}
