import { RpcError } from '@hawser/client'
import { thrown } from '../errors/thrown.ts'
import { isRefused } from '../send/refusal.ts'
import type { NetworkAccess, TransferDraft, Transfers } from '../types/adapter.ts'
import { accountId, addressOf } from './address.ts'
import { hexOf } from './bytes.ts'
import {
  encodeExtrinsic,
  hashOf,
  LIFETIME_BLOCKS,
  longestSignature,
  parseSignature,
  type SigningTerms,
  signerPayload,
} from './extrinsic.ts'
import type { Lifetimes } from './lifetimes.ts'
import { readFinalized } from './outcome.ts'
import { type AccountBalance, larger, type Runtime, type Runtimes } from './runtime.ts'

/** A node's error for an extrinsic that it already has. */
const ALREADY_IMPORTED = 1013

/** Quotes and sends transfers of the native token. The wallet signs; the gateway's node sends. */
export function createPolkadotTransfers(runtimes: Runtimes, lifetimes: Lifetimes): Transfers<'polkadot'> {
  return {
    isAddress: (text) => accountId(text) !== undefined,

    async localAddress(text, access) {
      const { prefix } = await runtimes.read(access)
      return addressOf(requireId(text), prefix)
    },

    async quote(access, draft, { signal } = {}) {
      const plan = await planTransfer(runtimes, access, draft, signal)
      return {
        amount: plan.fee,
        reserve: plan.reserve,
        ...(plan.minimum > 0n && { minimum: plan.minimum }),
        terms: { namespace: 'polkadot' },
      }
    },

    async send({ provider }, draft, { caipNetworkId, fee }, access) {
      if (fee?.terms.namespace !== 'polkadot') throw new Error('The transfer has no fee')
      const plan = await planTransfer(runtimes, access, draft)
      requireQuoted(plan, draft, fee.amount)
      const { runtime, call, from, terms } = plan
      const payload = signerPayload(runtime, call, terms)
      const signature = parseSignature(await provider.signPayload(draft.from, payload, caipNetworkId))
      const extrinsic = encodeExtrinsic(runtime, call, from, signature, terms)
      const hash = hashOf(extrinsic)
      const { blockNumber } = terms
      lifetimes.set(hash, { after: blockNumber, until: blockNumber + LIFETIME_BLOCKS })
      await submit(access, extrinsic)
      return hash
    },
  }
}

interface TransferPlan {
  readonly runtime: Runtime
  readonly from: Uint8Array
  readonly call: Uint8Array
  readonly terms: SigningTerms
  /** Plancks. */
  readonly fee: bigint
  readonly sender: AccountBalance
  /** Plancks that have to stay with the sender. */
  readonly reserve: bigint
  /** Plancks that the receiver has to get at least for its account to exist; 0 if it exists. */
  readonly minimum: bigint
}

async function planTransfer(
  runtimes: Runtimes,
  access: NetworkAccess,
  draft: TransferDraft,
  signal?: AbortSignal,
): Promise<TransferPlan> {
  if (draft.tokenAddress || draft.nft) throw new Error(thrown.unsupportedChain)
  const [from, to] = [requireId(draft.from), requireId(draft.to)]
  const runtime = await runtimes.read(access, signal)
  const [sender, receiver, nonce, { number: blockNumber, hash: blockHash }] = await Promise.all([
    readAccount(runtime, access, from, signal),
    readAccount(runtime, access, to, signal),
    access.node('system_accountNextIndex', [addressOf(from, runtime.prefix)], signal),
    readFinalized(access, signal),
  ])
  const terms = { nonce: nonce as number, blockNumber, blockHash }
  // The balance less the fee is not known before the fee is, and the fee depends on the size of the encoded
  // amount.
  const call = runtime.transferCall(to, draft.isMax ? sender.free : draft.amount)
  const { existentialDeposit } = runtime
  return {
    runtime,
    from,
    call,
    terms,
    fee: await readFee(access, encodeExtrinsic(runtime, call, from, longestSignature, terms), signal),
    sender,
    reserve: larger(existentialDeposit, sender.frozen - sender.reserved),
    minimum: receiver.free < existentialDeposit ? existentialDeposit - receiver.free : 0n,
  }
}

/**
 * Verifies a transfer against its quote.
 *
 * @throws Error when the transfer would cost more than was shown, or would fail.
 */
function requireQuoted({ fee, sender, reserve, minimum }: TransferPlan, draft: TransferDraft, most: bigint) {
  if (fee > most) throw new Error('The fee is higher than it was')
  if (draft.amount + fee + reserve > sender.free) {
    throw new Error('The account cannot pay the amount, the fee and what has to stay in it')
  }
  if (draft.amount < minimum) throw new Error('The amount is less than the receiver’s account needs to exist')
}

async function readAccount(
  runtime: Runtime,
  { node }: NetworkAccess,
  id: Uint8Array,
  signal?: AbortSignal,
): Promise<AccountBalance> {
  return runtime.readAccount(
    (await node('state_getStorage', [runtime.accountKey(id)], signal)) as string | null,
  )
}

/** Returns the plancks that an extrinsic costs. */
async function readFee(
  { node }: NetworkAccess,
  extrinsic: Uint8Array,
  signal?: AbortSignal,
): Promise<bigint> {
  const { partialFee } = (await node('payment_queryInfo', [`0x${hexOf(extrinsic)}`], signal)) as {
    partialFee: string | number
  }
  return BigInt(partialFee)
}

/**
 * Sends a signed extrinsic. Without an answer it may have been sent: it is followed by its hash then.
 *
 * @throws RpcError when the node refuses it; GatewayError when the gateway does.
 */
async function submit({ node }: NetworkAccess, extrinsic: Uint8Array): Promise<void> {
  try {
    await node('author_submitExtrinsic', [`0x${hexOf(extrinsic)}`])
  } catch (error) {
    const isKnown = error instanceof RpcError && error.code === ALREADY_IMPORTED
    if (!isKnown && isRefused(error)) throw error
  }
}

/**
 * Returns the bytes of an account's address.
 *
 * @throws TypeError
 */
function requireId(address: string): Uint8Array {
  const id = accountId(address)
  if (!id) throw new TypeError('The address does not belong to the namespace')
  return id
}
