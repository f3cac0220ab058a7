import { type Address, getBase58Decoder, type Instruction } from '@solana/kit'
import { WalletError } from '../errors/walletFailure.ts'
import { isRefused } from '../send/refusal.ts'
import type { FeeSpeed, NetworkAccess, WalletSession } from '../types/adapter.ts'
import type { NodeRequest } from '../types/environment.ts'
import type { CaipNetworkId } from '../types/network.ts'
import { anyLifetime, base64Of, compile, type Lifetime, latestLifetime } from './message.ts'
import type { Expiries } from './outcome.ts'
import { verifySigned } from './signedMessage.ts'
import { SimulationError } from './simulationError.ts'

/** The most compute units that a transaction may use. */
const MOST_COMPUTE_UNITS = 1_400_000
const MICRO_LAMPORTS = 1_000_000n
/** Maximum priority fee in lamports, however high the recent fees are. */
const MOST_PRIORITY_FEE = 1_000_000n
/** The quantile of recent fees that is paid, from the lowest (0) to the highest (1). */
const quantiles: Readonly<Record<FeeSpeed, number>> = { slow: 0.25, normal: 0.5, fast: 0.9 }

const SIGNATURE_SIZE = 64

/** The terms of a transaction that is simulated and not sent. */
export const unlimited = { computeUnitLimit: MOST_COMPUTE_UNITS, computeUnitPrice: 0n }

interface Simulated {
  readonly computeUnitLimit: number
  /** Lamports. */
  readonly rent: bigint
}

/**
 * Simulates a transaction.
 *
 * @param plan its instructions, and the account that they make, if they do.
 * @throws SimulationError when it would fail.
 */
export async function simulate(
  node: NodeRequest,
  from: string,
  { instructions, created }: { readonly instructions: readonly Instruction[]; readonly created?: Address },
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

/**
 * Returns the price of a compute unit in micro-lamports, from recent fees for the same accounts.
 *
 * @param written the accounts that the transaction writes to.
 */
export async function priorityPrice(
  node: NodeRequest,
  written: readonly Address[],
  speed: FeeSpeed,
  signal?: AbortSignal,
): Promise<bigint> {
  const recent = (await node('getRecentPrioritizationFees', [[...new Set(written)]], signal)) as readonly {
    prioritizationFee: number
  }[]
  const fees = recent.map(({ prioritizationFee }) => prioritizationFee).sort((a, b) => a - b)
  return BigInt(fees[Math.floor((fees.length - 1) * quantiles[speed])] ?? 0)
}

/** Returns the price, or less where the priority fee of the whole transaction would be too high. */
export function limitedPrice(price: bigint, computeUnitLimit: number): bigint {
  const most = (MOST_PRIORITY_FEE * MICRO_LAMPORTS) / BigInt(computeUnitLimit)
  return price < most ? price : most
}

/** A transaction that `from` signs alone, and pays for. */
interface Message {
  readonly from: string
  readonly instructions: readonly Instruction[]
  readonly terms: Parameters<typeof compile>[2]
  readonly lifetime: Lifetime
}

/**
 * Signs a transaction with the wallet, sends it, and keeps until when it can be included. Returns its signature.
 *
 * @throws the wallet's or the node's error; WalletError when the wallet signed another transaction.
 */
export async function sendInstructions(
  session: WalletSession<'solana'>,
  { from, instructions, terms, lifetime }: Message,
  { caipNetworkId, node }: NetworkAccess,
  expiries: Expiries,
): Promise<string> {
  const transaction = compile(from, instructions, terms, lifetime)
  const signed = await signAndSend(session, from, transaction, caipNetworkId, node)
  const expiry = await expiryOf(node, signed, lifetime)
  if (expiry !== undefined) expiries.set(signed.signature, expiry)
  return signed.signature
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
