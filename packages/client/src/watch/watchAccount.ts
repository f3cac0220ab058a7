import { InvalidResponseError, NetworkError, refusalFrom, TimeoutError } from '../rest/errors.ts'
import type { Balance } from '../rest/responses.ts'
import { envelope, readEnvelopes } from './envelopes.ts'

const PROCEDURE = '/hawser.balances.v1.WatchService/WatchAccount'

/** The gateway says that it is alive well within this time, in milliseconds. */
const SILENCE_MS = 45_000

export interface WatchQuestion {
  /** Origin of the gateway, with or without a trailing slash. */
  readonly baseUrl: string
  /** 32 hex digits. */
  readonly projectId: string
  /** Plain address, without the CAIP prefix. */
  readonly address: string
  /** CAIP-2. */
  readonly chainId: string
  readonly currency: 'usd'
  readonly signal: AbortSignal
  readonly fetch?: typeof fetch
  /** How long the gateway may say nothing, in milliseconds. */
  readonly silenceMs?: number
}

/** What a message of the stream says; `block` is the block it speaks of. */
export type AccountChange =
  /** All that the account holds now. */
  | { readonly kind: 'balances'; readonly block: bigint; readonly balances: readonly Balance[] }
  /** The history has other rows than before. */
  | { readonly kind: 'activity'; readonly block: bigint }
  /** Nothing changed for a while. */
  | { readonly kind: 'alive'; readonly block: bigint }

/** The gateway ended the stream with an error. */
export class WatchError extends Error {
  override readonly name = 'WatchError'

  /** @param code of the Connect protocol, such as `unavailable`. */
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

/**
 * Opens `hawser.balances.v1.WatchService/WatchAccount` by the Connect protocol and yields what changes, all balances
 * first. Ends when the gateway ends it well.
 *
 * @throws WatchError, HttpError, TimeoutError after a silence, NetworkError, InvalidResponseError, or the signal's own
 *   reason when the caller gave up.
 */
export async function* watchAccount(question: WatchQuestion): AsyncGenerator<AccountChange> {
  const { silenceMs = SILENCE_MS, signal } = question
  const patience = new AbortController()
  const giveUp = () => patience.abort(signal.reason)
  const wait = () => setTimeout(() => patience.abort(new TimeoutError(silenceMs)), silenceMs)
  signal.throwIfAborted()
  signal.addEventListener('abort', giveUp)
  let timer = wait()
  try {
    for await (const { isEnd, text } of readEnvelopes(await open(question, patience.signal))) {
      clearTimeout(timer)
      timer = wait()
      if (isEnd) {
        throwEnd(parse(text))
        return
      }
      yield accountChange(parse(text))
    }
    throw new InvalidResponseError()
  } catch (error) {
    if (patience.signal.aborted) throw patience.signal.reason
    throw error instanceof TypeError ? new NetworkError(error) : error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
    patience.abort()
  }
}

async function open(question: WatchQuestion, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const { baseUrl, projectId, address, chainId, currency, fetch = globalThis.fetch } = question
  const response = await fetch(baseUrl.replace(/\/+$/, '') + PROCEDURE, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/connect+json',
      'Connect-Protocol-Version': '1',
      'Hawser-Project-Id': projectId,
    },
    body: envelope({ address, chainId, currency }),
    signal,
  })
  if (!response.ok) throw refusalFrom(response.status, await response.text(), response.headers)
  const type = response.headers.get('content-type')
  if (!response.body || !type?.startsWith('application/connect+json')) throw new InvalidResponseError()
  return response.body
}

/** @throws WatchError when the stream did not end well. */
function throwEnd(end: { error?: { code?: unknown; message?: unknown } }): void {
  if (!end.error) return
  const { code, message } = end.error
  throw new WatchError(String(code ?? 'unknown'), String(message ?? code ?? 'unknown'))
}

interface Message {
  readonly block?: string
  readonly balances?: { readonly balances?: readonly Partial<Balance>[] }
  readonly activity?: object
}

function accountChange({ block = '0', balances, activity }: Message): AccountChange {
  if (activity) return { kind: 'activity', block: BigInt(block) }
  if (!balances) return { kind: 'alive', block: BigInt(block) }
  return { kind: 'balances', block: BigInt(block), balances: (balances.balances ?? []).map(withDefaults) }
}

/** A field that has its default value is left out of a Connect message. */
function withDefaults(balance: Partial<Balance>): Balance {
  const quantity = { decimals: '0', numeric: '0', ...balance.quantity }
  return { name: '', symbol: '', price: 0, iconUrl: '', ...balance, quantity }
}

function parse(text: string) {
  try {
    return Object(JSON.parse(text))
  } catch (error) {
    throw new InvalidResponseError(error)
  }
}
