import type { Message } from '@hawser/texts/message'
import { errorMessage } from '../errors/walletErrors.ts'

/** What an error says beside its English message: the key of a text, or a reason of the gateway or of the embedded wallet. */
interface Reasoned {
  readonly key?: unknown
  readonly values?: Message['values']
  readonly reason?: unknown
  readonly retrySeconds?: unknown
}

function partsOf(error: unknown): Reasoned {
  return typeof error === 'object' && error !== null ? error : {}
}

/** Returns what an error of a login or of the embedded wallet says: in English as it was thrown, and for other languages by its reason. */
export function loginMessage(error: unknown): Message {
  const message = errorMessage(error)
  const { key, values, reason, retrySeconds } = partsOf(error)
  if (typeof key === 'string') return { message, key, values }
  if (typeof retrySeconds === 'number' && retrySeconds > 0)
    return { message, key: 'toasts.emailThrottled', values: [retrySeconds] }
  return typeof reason === 'string' && reason ? { message, key: `loginErrors.${reason}` } : { message }
}

/** Reports whether an error of a login has a reason. */
export function isRefusedBecause(error: unknown, reason: string): boolean {
  return partsOf(error).reason === reason
}
