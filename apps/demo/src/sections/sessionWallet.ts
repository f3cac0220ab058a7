import type { SmartSessionKey } from '@hawser/core'
import type { Hex } from 'viem'
import type { LabConfig } from '../lab/config.ts'

const STORED = 'hawser-lab:session-key'
const POLL_MS = 500
const POLLS = 60

/** The lab's own key, which a session is granted to. It is kept until the tab is closed. */
export interface SiteKey {
  readonly key: SmartSessionKey
  /** Signs 32 bytes as they are. */
  sign(hash: Hex): Promise<Hex>
}

export async function siteKey(): Promise<SiteKey> {
  const { generatePrivateKey, privateKeyToAccount, sign } = await import('viem/accounts')
  const privateKey = (sessionStorage.getItem(STORED) as Hex | null) ?? generatePrivateKey()
  sessionStorage.setItem(STORED, privateKey)
  const { publicKey } = privateKeyToAccount(privateKey)
  return {
    key: { type: 'secp256k1', publicKey },
    sign: (hash) => sign({ hash, privateKey, to: 'hex' }),
  }
}

/** A payment of an account that granted a session. */
export interface Payment {
  /** Plain address. */
  readonly from: string
  /** Hex. */
  readonly chainId: string
  /** Id of the session. */
  readonly context: string
  readonly to: Hex
  /** Wei. */
  readonly value: bigint
}

interface PreparedCalls {
  readonly preparedCalls: unknown
  readonly signatureRequest: { readonly hash: Hex }
  readonly context: string
}

interface CallsStatus {
  readonly status: string
  readonly receipts: readonly { readonly transactionHash: string; readonly status: string }[] | null
}

/**
 * Pays by a session, without the wallet.
 *
 * @returns the hash of the transaction.
 * @throws Error with the text of the gateway when it refuses, and if the payment was reverted.
 */
export async function pay(
  config: LabConfig,
  { sign }: SiteKey,
  { from, chainId, context, to, value }: Payment,
): Promise<string> {
  const call = { to, value: `0x${value.toString(16)}`, data: '0x' }
  const wanted = { from, chainId, calls: [call], capabilities: { permissions: { context } } }
  const [prepared] = await request<[PreparedCalls]>(config, 'wallet_prepareCalls', [wanted])
  const { preparedCalls, signatureRequest } = prepared
  const signed = { preparedCalls, signature: await sign(signatureRequest.hash), context: prepared.context }
  const [id] = await request<[string]>(config, 'wallet_sendPreparedCalls', [signed])
  for (let polls = 0; polls < POLLS; polls += 1) {
    const { status, receipts } = await request<CallsStatus>(config, 'wallet_getCallsStatus', [id])
    const [receipt] = receipts ?? []
    if (status === 'CONFIRMED' && receipt?.status === '0x0') throw new Error('The payment was reverted')
    if (status === 'CONFIRMED') return receipt?.transactionHash ?? ''
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new Error('The payment is not in a block yet')
}

async function request<T>(
  { gatewayUrl, projectId }: LabConfig,
  method: string,
  params: unknown[],
): Promise<T> {
  const response = await fetch(`${gatewayUrl}/v1/wallet?projectId=${encodeURIComponent(projectId)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = await response.json()
  if (error) throw new Error(error.message)
  return result
}
