import { failures } from '../failures.ts'
import { FrameError, providerErrorCode } from './frameError.ts'

const TIMEOUT_MS = 20_000

interface NodeOptions {
  readonly projectId: string
  readonly fetch: typeof fetch
}

/** A request without an answer: it may have been carried out. */
export class UnansweredError extends FrameError {
  constructor() {
    super(failures.unreachable, providerErrorCode.internal)
  }
}

/** Calls a JSON-RPC method of a network through the gateway, at the frame's own origin. @throws FrameError with the node's code. */
export type Node = (chainId: string, method: string, params: unknown) => Promise<unknown>

/** Creates the client of the JSON-RPC endpoint. */
export function createNode({ projectId, fetch }: NodeOptions): Node {
  let lastId = 0
  return async (chainId, method, params = []) => {
    lastId += 1
    const query = new URLSearchParams({ chainId, projectId })
    let answer: {
      readonly result?: unknown
      readonly error?: { readonly code?: number; readonly message?: string }
    }
    try {
      const response = await fetch(`/v1?${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params }),
        credentials: 'omit',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      answer = await response.json()
    } catch {
      throw new UnansweredError()
    }
    if (answer.error)
      throw new FrameError(
        answer.error.message ?? 'The network refused',
        answer.error.code ?? providerErrorCode.internal,
      )
    if (!('result' in answer)) throw new UnansweredError()
    return answer.result
  }
}
