import { FailureError, failures, type OwnFailure } from '../failures.ts'
import type { CallsMethods } from './bundlerTypes.ts'

const TIMEOUT_MS = 20_000

/** A refusal of the bundler, or of the service of calls. Its message is for people. */
export class BundlerError extends FailureError {
  override readonly name = 'BundlerError'
  /** Code of ERC-7769, or of EIP-5792 for calls by id. */
  readonly code: number

  constructor(code: number, failure: OwnFailure | string) {
    super(failure)
    this.code = code
  }
}

/** Calls that the bundler refuses as they would fail. */
export class FailingCallsError extends BundlerError {
  /** The code that the account would run (EIP-7702); undefined when it stays as it is. */
  readonly delegate: string | undefined

  constructor({ code, message }: BundlerError, delegate: string | undefined) {
    super(code, message)
    this.delegate = delegate
  }
}

/** Codes of ERC-7769 for an operation whose account or paymaster refuses it, and whose calls revert. */
const FAILING = [-32500, -32501, -32521]

/** Returns the error of calls that would fail; another one as it is. */
export function failingCalls(error: unknown, delegate: string | undefined): unknown {
  return error instanceof BundlerError && FAILING.includes(error.code)
    ? new FailingCallsError(error, delegate)
    : error
}

interface BundlerOptions {
  readonly projectId: string
  readonly fetch: typeof fetch
}

/** The bundler, the paymaster and the services of calls and sessions, at the frame's own origin. */
export interface BundlerClient {
  /** Calls a method of ERC-7769 or ERC-7677. @throws BundlerError */
  rpc(chainId: string, method: string, params: readonly unknown[]): Promise<unknown>
  /** Calls `hawser.bundler.v1.CallsService` or `hawser.sessions.v1.SmartSessionsService`. @throws BundlerError */
  call<M extends keyof CallsMethods>(method: M, request: CallsMethods[M][0]): Promise<CallsMethods[M][1]>
}

/** "Internal error" of JSON-RPC. */
export const INTERNAL_ERROR = -32603
/** Codes of EIP-5792 and JSON-RPC, by reason of the service. */
const codeOfReason: Record<string, number> = {
  already_exists: 5720,
  not_found: 5730,
  invalid_argument: -32602,
}

const services: Record<keyof CallsMethods, string> = {
  SendCalls: 'bundler.v1.CallsService',
  GetCalls: 'bundler.v1.CallsService',
  RemoveDelegation: 'bundler.v1.CallsService',
  ListAccountChains: 'bundler.v1.CallsService',
  ListSessionChains: 'sessions.v1.SmartSessionsService',
  GetContext: 'sessions.v1.SmartSessionsService',
}

/** Creates the client. */
export function createBundlerClient({ projectId, fetch }: BundlerOptions): BundlerClient {
  let lastId = 0

  async function post(path: string, body: unknown, headers: Record<string, string>): Promise<Response> {
    try {
      return await fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-project-id': projectId, ...headers },
        body: JSON.stringify(body),
        credentials: 'omit',
        cache: 'no-store',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
    } catch {
      throw new BundlerError(INTERNAL_ERROR, failures.unreachable)
    }
  }

  async function json(response: Response): Promise<Record<string, unknown>> {
    try {
      return await response.json()
    } catch {
      throw new BundlerError(INTERNAL_ERROR, failures.unreachable)
    }
  }

  return {
    async rpc(chainId, method, params) {
      lastId += 1
      const query = new URLSearchParams({ chainId, projectId })
      const response = await post(`/v1/bundler?${query}`, { jsonrpc: '2.0', id: lastId, method, params }, {})
      const answer = await json(response)
      const error = answer.error as { code?: number; message?: string } | undefined
      if (error) throw new BundlerError(error.code ?? INTERNAL_ERROR, error.message ?? failures.unreachable)
      if (!response.ok || !('result' in answer)) throw new BundlerError(INTERNAL_ERROR, failures.unreachable)
      return answer.result
    },

    async call(method, request) {
      const query = new URLSearchParams({ projectId })
      const path = `/hawser.${services[method]}/${method}?${query}`
      const response = await post(path, request, { 'connect-protocol-version': '1' })
      const answer = await json(response)
      if (response.ok) return answer as never
      const { code, message } = answer as { code?: string; message?: string }
      throw new BundlerError(codeOfReason[code ?? ''] ?? INTERNAL_ERROR, message || failures.unreachable)
    },
  }
}
