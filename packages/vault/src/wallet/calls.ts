import { FrameError, providerErrorCode } from './frameError.ts'
import type { Node } from './node.ts'

/** An id of calls that were sent one after the other: the hashes of their transactions, the chain id and this mark. It needs no storage. */
const MARK = '5792'.repeat(16)
const WORD = 64
const MAX_CALLS = 50

/** Begins the word of a call that was not sent; the code of the error follows. No hash begins like this. */
const NOT_SENT = `0x${'0'.repeat(WORD - 8)}`

/** Returns what stands in an id for the hash of a call that was not sent. @param code code of the error, an int32 */
export function unsentWord(code: number): string {
  return NOT_SENT + (code >>> 0).toString(16).padStart(8, '0')
}

/** The calls of a batch that were not sent, among the capabilities of EIP-5792: its answers have no other place for them. */
interface UnsentCalls {
  /** Their places in the batch, from 0. */
  readonly indexes: readonly number[]
  /** Code of the error of the first. */
  readonly code: number
  /** Why the first was not sent; absent in a status, as an id has only the code. */
  readonly message?: string
}

/** Returns the calls of an id's words that were not sent; undefined if all were. */
export function unsentCalls(words: readonly string[]): UnsentCalls | undefined {
  const indexes = [...words.keys()].filter((index) => words[index]?.startsWith(NOT_SENT))
  const first = words[indexes[0] ?? -1]
  return first === undefined ? undefined : { indexes, code: Number.parseInt(first.slice(-8), 16) | 0 }
}

/** Refuses more calls than an id can name. @throws FrameError 5740 */
export function expectFewCalls(calls: readonly unknown[]) {
  if (calls.length > MAX_CALLS) throw new FrameError('Too many calls', providerErrorCode.bundleTooLarge)
}

/** Returns the id of calls that were sent as transactions of one chain. */
export function callsIdOf(chainId: number, hashes: readonly string[]): string {
  return `0x${hashes.map((hash) => hash.slice(2)).join('')}${chainId.toString(16).padStart(WORD, '0')}${MARK}`
}

/** Reads an id of `callsIdOf`; undefined for another one. */
export function readCallsId(
  id: string,
): { readonly chainId: number; readonly hashes: readonly string[] } | undefined {
  const words = /^0x((?:[0-9a-f]{64}){3,})$/.exec(id)?.[1]?.match(/.{64}/g)
  if (!words || words.pop() !== MARK || words.length > MAX_CALLS + 1) return undefined
  const chainId = Number.parseInt(words.pop() ?? '', 16)
  return Number.isSafeInteger(chainId) ? { chainId, hashes: words.map((word) => `0x${word}`) } : undefined
}

interface Receipt {
  readonly status?: string
  readonly logs?: readonly unknown[]
  readonly blockHash?: string
  readonly blockNumber?: string
  readonly gasUsed?: string
  readonly transactionHash?: string
}

const status = { pending: 100, confirmed: 200, reverted: 500, partlyReverted: 600 } as const

/** Answers `wallet_getCallsStatus` (EIP-5792) for calls that were sent one after the other. @throws FrameError 5730 */
export async function callsStatus(node: Node, id: string): Promise<object> {
  const sent = readCallsId(id)
  if (!sent) throw new FrameError('The calls are unknown', providerErrorCode.unknownBundle)
  const network = `eip155:${sent.chainId}`
  const hashes = sent.hashes.filter((hash) => !hash.startsWith(NOT_SENT))
  const unsent = unsentCalls(sent.hashes)
  const receipts = (await Promise.all(
    hashes.map((hash) => node(network, 'eth_getTransactionReceipt', [hash])),
  )) as (Receipt | null)[]
  const mined = receipts.filter((receipt) => receipt !== null)
  const done = mined.filter((receipt) => receipt.status !== '0x0').length
  return {
    version: '2.0.0',
    id,
    chainId: `0x${sent.chainId.toString(16)}`,
    atomic: false,
    ...(unsent && { capabilities: { unsentCalls: unsent } }),
    status:
      mined.length < receipts.length
        ? status.pending
        : done === sent.hashes.length
          ? status.confirmed
          : done === 0
            ? status.reverted
            : status.partlyReverted,
    receipts: mined.map(({ logs, status, blockHash, blockNumber, gasUsed, transactionHash }) => ({
      logs,
      status,
      blockHash,
      blockNumber,
      gasUsed,
      transactionHash,
    })),
  }
}
