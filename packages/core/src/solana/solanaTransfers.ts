import { getBase58Decoder, isAddress } from '@solana/kit'
import { WalletError } from '../errors/walletFailure.ts'
import { isRefused } from '../send/refusal.ts'
import type { FeeQuote, FeeSpeed, Transfers, WalletSession } from '../types/adapter.ts'
import type { NodeRequest } from '../types/environment.ts'
import type { CaipNetworkId } from '../types/network.ts'
import { anyLifetime, base64Of, compile, type Lifetime, latestLifetime } from './message.ts'
import type { Expiries } from './outcome.ts'
import { verifySigned } from './signedMessage.ts'
import { SimulationError } from './simulationError.ts'
import { planTransfer, type TransferPlan } from './transferPlan.ts'

/** Lamports for a transaction's signature. */
const SIGNATURE_FEE = 5_000n
/** The most compute units that a transaction may use. */
const MOST_COMPUTE_UNITS = 1_400_000
const MICRO_LAMPORTS = 1_000_000n
/** Maximum priority fee in lamports, however high the recent fees are. */
const MOST_PRIORITY_FEE = 1_000_000n
/** The quantile of recent fees that is paid, from the lowest (0) to the highest (1). */
const quantiles: Readonly<Record<FeeSpeed, number>> = { slow: 0.25, normal: 0.5, fast: 0.9 }

const SIGNATURE_SIZE = 64

/** The terms of a transaction that is simulated and not sent. */
const unlimited = { computeUnitLimit: MOST_COMPUTE_UNITS, computeUnitPrice: 0n }

/** Quotes and sends transfers of SOL, and of tokens of both token programs. */
export function createSolanaTransfers(expiries: Expiries): Transfers<'solana'> {
  return {
    isAddress,

    async quote({ node }, draft, { speed = 'normal', signal } = {}) {
      const plan = await planTransfer(node, draft, signal)
      const [{ computeUnitLimit, rent }, price, reserve] = await Promise.all([
        simulate(node, draft.from, plan, signal),
        priorityPrice(node, plan, speed, signal),
        node('getMinimumBalanceForRentExemption', [0], signal),
      ])
      const most = (MOST_PRIORITY_FEE * MICRO_LAMPORTS) / BigInt(computeUnitLimit)
      const computeUnitPrice = price < most ? price : most
      const priority = ceilDiv(computeUnitPrice * BigInt(computeUnitLimit), MICRO_LAMPORTS)
      return {
        amount: SIGNATURE_FEE + priority + rent,
        reserve: BigInt(reserve as number),
        terms: { namespace: 'solana', computeUnitPrice, computeUnitLimit },
        ...(rent > 0n && { rent }),
        ...(plan.tokenFee !== undefined && { tokenFee: plan.tokenFee }),
      }
    },

    async transaction({ node }, draft, fee, signal) {
      const { instructions } = await planTransfer(node, draft, signal)
      const terms = fee?.terms.namespace === 'solana' ? fee.terms : unlimited
      return base64Of(compile(draft.from, instructions, terms, anyLifetime))
    },

    async send(session, draft, { caipNetworkId, fee }, { node }) {
      if (fee?.terms.namespace !== 'solana') throw new Error('The transfer has no fee')
      const [plan, lifetime] = await Promise.all([planTransfer(node, draft), latestLifetime(node)])
      requireQuoted(plan, fee)
      const transaction = compile(draft.from, plan.instructions, fee.terms, lifetime)
      const signed = await signAndSend(session, draft.from, transaction, caipNetworkId, node)
      const expiry = await expiryOf(node, signed, lifetime)
      if (expiry !== undefined) expiries.set(signed.signature, expiry)
      return signed.signature
    },
  }
}

/**
 * Verifies a transfer against its quote.
 *
 * @throws Error when the transfer would cost more than was shown, as when the receiver's account was closed
 * since.
 */
function requireQuoted({ created, tokenFee = 0n }: TransferPlan, quoted: FeeQuote): void {
  if (created && !quoted.rent) throw new Error('The account of the receiver has to be made')
  if (tokenFee > (quoted.tokenFee ?? 0n)) throw new Error('The fee of the token is higher')
}

interface Simulated {
  readonly computeUnitLimit: number
  /** Lamports. */
  readonly rent: bigint
}

/**
 * Simulates a transaction.
 *
 * @throws SimulationError when the transfer would fail.
 */
async function simulate(
  node: NodeRequest,
  from: string,
  { instructions, created }: TransferPlan,
  signal?: AbortSignal,
): Promise<Simulated> {
  const transaction = compile(from, instructions, unlimited, anyLifetime)
  const options = {
    encoding: 'base64',
    commitment: 'confirmed',
    replaceRecentBlockhash: true,
    ...(created && { accounts: { encoding: 'base64', addresses: [created] } }),
  }
  const { value } = (await node('simulateTransaction', [base64Of(transaction), options], signal)) as {
    value: {
      err: unknown
      unitsConsumed?: number
      accounts?: readonly ({ lamports: number | string } | null)[] | null
      logs?: readonly string[] | null
    }
  }
  if (value.err) throw new SimulationError(value.err, value.logs ?? [])
  const used = value.unitsConsumed || MOST_COMPUTE_UNITS
  return {
    // The state of accounts may change before it is sent, and the units with it.
    computeUnitLimit: Math.min(MOST_COMPUTE_UNITS, Math.ceil(used * 1.2)),
    rent: created ? BigInt(value.accounts?.[0]?.lamports ?? 0) : 0n,
  }
}

/** Returns the price of a compute unit in micro-lamports, from recent fees for the same accounts. */
async function priorityPrice(
  node: NodeRequest,
  { written }: TransferPlan,
  speed: FeeSpeed,
  signal?: AbortSignal,
): Promise<bigint> {
  const recent = (await node('getRecentPrioritizationFees', [[...new Set(written)]], signal)) as readonly {
    prioritizationFee: number
  }[]
  const fees = recent.map(({ prioritizationFee }) => prioritizationFee).sort((a, b) => a - b)
  return BigInt(fees[Math.floor((fees.length - 1) * quantiles[speed])] ?? 0)
}

interface Signed {
  readonly signature: string
  /** Whether the wallet signed what it was given; undefined when it is not known what it signed. */
  readonly isUnchanged: boolean | undefined
}

/**
 * Returns the last block height at which a signed transaction can be included. One that the wallet changed may have a newer
 * blockhash, of the newest block at most: `verifySigned` refuses those that never expire.
 */
async function expiryOf(
  node: NodeRequest,
  { isUnchanged }: Signed,
  lifetime: Lifetime,
): Promise<bigint | undefined> {
  if (isUnchanged === undefined) return undefined
  if (isUnchanged) return lifetime.lastValidBlockHeight
  const newest = await latestLifetime(node).catch(() => undefined)
  return newest?.lastValidBlockHeight
}

/** Signs with the wallet and sends through the gateway; a wallet that only sends itself does so. */
async function signAndSend(
  { provider }: WalletSession<'solana'>,
  from: string,
  transaction: Uint8Array,
  caipNetworkId: CaipNetworkId,
  node: NodeRequest,
): Promise<Signed> {
  if (provider.signTransaction) {
    const signed = await provider.signTransaction(from, transaction, caipNetworkId)
    const signature = signatureIn(signed)
    const isUnchanged = verifySigned(transaction, signed)
    await submit(node, signed)
    return { signature, isUnchanged }
  }
  if (provider.signAndSendTransaction) {
    const signature = await provider.signAndSendTransaction(from, transaction, caipNetworkId)
    return { signature: encodeSignature(signature), isUnchanged: undefined }
  }
  throw new WalletError('unsupported', 'The wallet signs no transactions')
}

/** Returns the first signature of a signed transaction in base58: it is the transaction's id. */
function signatureIn(signed: Uint8Array): string {
  // The count of signatures is a byte: a transaction has no room for as many as two bytes count.
  return encodeSignature(signed.subarray(1, 1 + SIGNATURE_SIZE))
}

/**
 * Encodes a signature in base58.
 *
 * @throws WalletError for anything but the 64 bytes of a signature.
 */
function encodeSignature(signature: Uint8Array): string {
  if (signature.length !== SIGNATURE_SIZE || signature.every((byte) => byte === 0)) {
    throw new WalletError('unreadable', 'The wallet signed no transaction')
  }
  return getBase58Decoder().decode(signature)
}

/**
 * Sends a signed transaction. Without an answer it may have been sent: its signature is followed then.
 *
 * @throws RpcError when the node refuses it; GatewayError when the gateway does.
 */
async function submit(node: NodeRequest, signed: Uint8Array): Promise<void> {
  const options = { encoding: 'base64', preflightCommitment: 'confirmed' }
  try {
    await node('sendTransaction', [base64Of(signed), options])
  } catch (error) {
    if (isRefused(error)) throw error
  }
}

function ceilDiv(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by
}
