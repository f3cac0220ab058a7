import type { NetworkAccess, ReceiptStatus } from '../types/adapter.ts'
import { bytesOf } from './bytes.ts'
import { describeDispatchError } from './dispatchError.ts'
import { hashOf } from './extrinsic.ts'
import type { Lifetimes } from './lifetimes.ts'
import type { ExtrinsicOutcome, Runtimes } from './runtime.ts'

/**
 * Maximum number of finalized blocks that are walked back from the newest one. Beyond that, the walk starts
 * at the last block of the lifetime, which is found by its number.
 */
const MOST_WALKED = 128

interface Block {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  /** Encoded, hex. */
  readonly extrinsics: readonly string[]
}

/** The state that is kept of sent extrinsics. */
export interface Sent {
  readonly runtimes: Runtimes
  readonly lifetimes: Lifetimes
  /** Receives why an extrinsic failed, by its hash. */
  readonly failures: Map<string, string>
}

/**
 * Reads the outcome of a sent extrinsic from the finalized blocks that can have it, each of which is read once. An
 * extrinsic that is in none of them never will be in one, and is `expired`.
 */
export async function readOutcome(
  access: NetworkAccess,
  hash: string,
  sent: Sent,
  signal?: AbortSignal,
): Promise<ReceiptStatus> {
  const { lifetimes } = sent
  const lifetime = lifetimes.get(hash)
  if (!lifetime) return 'pending'
  const { after, until } = lifetime
  const newest = await readFinalized(access, signal)
  const last = newest.number - after > MOST_WALKED ? await blockHash(access, until, signal) : newest.hash
  for (let next = last; ; ) {
    const block = await readBlock(access, next, signal)
    if (block.number <= after) break
    const index =
      block.number > until ? -1 : block.extrinsics.findIndex((each) => hashOf(bytesOf(each)) === hash)
    if (index !== -1) return outcomeIn(access, block, index, hash, sent, signal)
    next = block.parentHash
  }
  if (newest.number >= until) return 'expired'
  if (newest.number > after) lifetimes.set(hash, { after: newest.number, until })
  return 'pending'
}

/** Returns the number and the hash of the newest finalized block. */
export async function readFinalized(
  { node }: NetworkAccess,
  signal?: AbortSignal,
): Promise<{ readonly number: number; readonly hash: string }> {
  const hash = (await node('chain_getFinalizedHead', [], signal)) as string
  const { number } = (await node('chain_getHeader', [hash], signal)) as { number: string }
  return { number: Number(number), hash }
}

/**
 * Returns the hash of a block by its number.
 *
 * @throws Error when the node does not have the block yet.
 */
async function blockHash({ node }: NetworkAccess, number: number, signal?: AbortSignal): Promise<string> {
  const hash = await node('chain_getBlockHash', [number], signal)
  if (typeof hash !== 'string') throw new Error('The node does not have the block')
  return hash
}

/**
 * Reads a block.
 *
 * @throws Error when the node does not have it.
 */
async function readBlock({ node }: NetworkAccess, hash: string, signal?: AbortSignal): Promise<Block> {
  const read = (await node('chain_getBlock', [hash], signal)) as {
    block: { header: { number: string; parentHash: string }; extrinsics: readonly string[] }
  } | null
  if (!read) throw new Error('The node does not have the block')
  const { header, extrinsics } = read.block
  return { number: Number(header.number), hash, parentHash: header.parentHash, extrinsics }
}

async function outcomeIn(
  access: NetworkAccess,
  block: Block,
  index: number,
  hash: string,
  { runtimes, failures }: Sent,
  signal?: AbortSignal,
): Promise<ReceiptStatus> {
  const { eventsKey, outcomeOf } = await runtimes.read(access, signal)
  const events = await access.node('state_getStorage', [eventsKey, block.hash], signal)
  const outcome: ExtrinsicOutcome | undefined = outcomeOf(events as string, index)
  if (!outcome) throw new Error('The block has no events of the extrinsic')
  if (outcome === 'success') return 'success'
  failures.set(hash, describeDispatchError(outcome))
  return 'reverted'
}
