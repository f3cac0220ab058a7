/** The id of a message as JSON, so that an answer repeats it exactly: JSON.parse would round one of 19 digits. */
export type RpcId = string

export interface RpcRequest {
  readonly id: RpcId
  readonly method: string
  readonly params: unknown
}

export interface RpcFailure {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export interface RpcResponse {
  readonly id: RpcId
  readonly result?: unknown
  readonly error?: RpcFailure
}

/**
 * Parses a JSON-RPC 2.0 message.
 *
 * @throws SyntaxError for text that is no such message.
 */
export function parseRpc(text: string): RpcRequest | RpcResponse {
  const message = JSON.parse(text) as Record<string, unknown> | null
  if (typeof message !== 'object' || message === null) throw new SyntaxError('not a JSON-RPC message')
  const id = exactId(text, message.id)
  if (typeof message.method === 'string') return { id, method: message.method, params: message.params }
  if (message.error !== undefined) return { id, error: asFailure(message.error) }
  return { id, result: message.result }
}

export function isRequest(message: RpcRequest | RpcResponse): message is RpcRequest {
  return 'method' in message
}

export function formatRequest(id: RpcId, method: string, params: unknown): string {
  return `{"id":${id},"jsonrpc":"2.0",${JSON.stringify({ method, params }).slice(1)}`
}

export function formatResult(id: RpcId, result: unknown): string {
  return `{"id":${id},"jsonrpc":"2.0","result":${JSON.stringify(result) ?? 'null'}}`
}

export function formatError(id: RpcId, { code, message, data }: RpcFailure): string {
  return `{"id":${id},"jsonrpc":"2.0","error":${JSON.stringify({ code, message, data })}}`
}

/** Creates a source of ids that grow: Unix microseconds, below 2^53. */
export function createIds(now: () => number): () => number {
  let last = 0
  return () => {
    last = Math.max(last + 1, now() * 1000 + Math.floor(Math.random() * 1000))
    return last
  }
}

function exactId(text: string, id: unknown): RpcId {
  if (typeof id === 'string') return JSON.stringify(id)
  if (typeof id !== 'number') throw new SyntaxError('a JSON-RPC message without an id')
  if (Number.isSafeInteger(id)) return String(id)
  for (const [, digits = ''] of text.matchAll(/"id"\s*:\s*(\d{16,40})/g)) {
    if (Number(digits) === id) return digits
  }
  throw new SyntaxError('a JSON-RPC id that is no integer')
}

function asFailure(error: unknown): RpcFailure {
  const { code, message, data } = Object(error) as Record<string, unknown>
  return {
    code: typeof code === 'number' ? code : 0,
    message: typeof message === 'string' ? message : '',
    ...(data !== undefined && { data }),
  }
}
