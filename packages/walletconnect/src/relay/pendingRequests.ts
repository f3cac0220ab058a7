import type { Clock } from '../environment.ts'
import { createIds, formatRequest, type RpcId, type RpcResponse } from '../jsonRpc.ts'
import { RelayError } from './errors.ts'

const REQUEST_DEADLINE_MS = 60_000

interface Pending {
  readonly text: string
  /** Not repeated on another socket. */
  readonly isOfSocket: boolean
  readonly resolve: (result: unknown) => void
  readonly reject: (error: RelayError) => void
}

/** The requests that a relay has not answered. */
export interface PendingRequests {
  size(): number
  /** Returns the text of a request; undefined after its answer. */
  textOf(id: RpcId): string | undefined
  /** Returns the texts of all requests, the oldest first. */
  texts(): readonly string[]
  /** Adds a request, and sends its text. Returns the answer. A request of a socket is not repeated on another. */
  add(method: string, params: unknown, isOfSocket: boolean, send: (text: string) => void): Promise<unknown>
  /** Ends the request that a relay has answered. */
  answer(response: RpcResponse): void
  /** Ends the requests of a socket that is lost. */
  endSocket(): void
  /** Rejects all requests. */
  fail(error: RelayError): void
}

/** Creates the requests of a connection; `expired` is called after one that was not answered for 60 s is rejected. */
export function createPendingRequests(clock: Clock, expired: () => void): PendingRequests {
  const nextId = createIds(clock.now)
  const pending = new Map<RpcId, Pending>()

  return {
    size: () => pending.size,
    textOf: (id) => pending.get(id)?.text,
    texts: () => [...pending.values()].map(({ text }) => text),
    add(method, params, isOfSocket, send) {
      return new Promise((resolve, reject) => {
        const id = String(nextId())
        const text = formatRequest(id, method, params)
        const cancel = clock.after(REQUEST_DEADLINE_MS, () => {
          if (!pending.delete(id)) return
          reject(new RelayError(`the relay did not answer ${method}`))
          expired()
        })
        pending.set(id, {
          text,
          isOfSocket,
          resolve(value) {
            cancel()
            resolve(value)
          },
          reject(error) {
            cancel()
            reject(error)
          },
        })
        send(text)
      })
    },
    answer({ id, result, error }) {
      const call = pending.get(id)
      pending.delete(id)
      if (error) call?.reject(new RelayError(error.message, undefined, error.code))
      else call?.resolve(result)
    },
    endSocket() {
      for (const [id, { isOfSocket, resolve }] of pending) {
        if (isOfSocket && pending.delete(id)) resolve(undefined)
      }
    },
    fail(error) {
      const calls = [...pending.values()]
      pending.clear()
      for (const { reject } of calls) reject(error)
    },
  }
}
