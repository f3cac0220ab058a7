import { failures } from '../failures.ts'
import { CallError } from '../session/api.ts'
import type { Vault } from './vault.ts'

type Method = keyof Vault

interface Request {
  readonly id: number
  readonly method: Method
  readonly args: readonly unknown[]
}

type Answer =
  | { readonly id: number; readonly result: unknown }
  | {
      readonly id: number
      readonly error: Pick<CallError, 'code' | 'message' | 'key' | 'reason' | 'retrySeconds'>
    }
  | { readonly event: 'signedOut' }

/** A worker, or one end of a MessageChannel. */
export interface Endpoint {
  postMessage(message: unknown): void
  onmessage: ((event: MessageEvent) => void) | null
}

/** Serves a vault at an endpoint; returns a function that reports the end of the session there. */
export function serveVault(vault: Promise<Vault>, endpoint: Endpoint): () => void {
  const post = (answer: Answer) => endpoint.postMessage(answer)
  endpoint.onmessage = async ({ data }: MessageEvent<Request>) => {
    const { id, method, args } = data
    try {
      const opened = await vault
      if (!Object.hasOwn(opened, method)) throw new CallError('unimplemented', failures.unknown)
      const call = opened[method] as (...args: readonly unknown[]) => Promise<unknown>
      post({ id, result: await call(...args) })
    } catch (error) {
      const { code, message, key, reason, retrySeconds } =
        error instanceof CallError ? error : new CallError('internal', failures.unknown)
      post({ id, error: { code, message, key, reason, retrySeconds } })
    }
  }
  return () => post({ event: 'signedOut' })
}

/** Returns the vault that is served at the other end. */
export function connectVault(endpoint: Endpoint, signedOut: () => void): Vault {
  const open = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  let lastId = 0
  endpoint.onmessage = ({ data }: MessageEvent<Answer>) => {
    if ('event' in data) return signedOut()
    const call = open.get(data.id)
    open.delete(data.id)
    if ('error' in data) {
      const { code, message, key, reason, retrySeconds } = data.error
      call?.reject(new CallError(code, key ? { key, message } : message, reason, retrySeconds))
    } else call?.resolve(data.result)
  }
  return new Proxy({} as Vault, {
    get: (_, method: string) =>
      method === 'then'
        ? undefined
        : (...args: readonly unknown[]) =>
            new Promise((resolve, reject) => {
              lastId += 1
              open.set(lastId, { resolve, reject })
              endpoint.postMessage({ id: lastId, method, args })
            }),
  })
}
