import { plainText } from '@hawser/client'
import { UnsendableError } from '../send/unsendable.ts'
import type { TransferRefusal } from '../types/adapter.ts'

/** The most characters of a reason that are shown. */
const MOST_CHARACTERS = 160

/** A transaction that failed in a simulation. */
export class SimulationError extends Error {
  override readonly name = 'SimulationError'
  /** Why, as the program logs it, or else as the network names it; empty if neither does. */
  readonly reason: string

  /** @param error such as `{ InstructionError: [0, { Custom: 17 }] }` */
  constructor(error: unknown, logs: readonly string[]) {
    super(`The transfer would fail: ${JSON.stringify(error)}`)
    const logged = logs.map((line) => /^Program log: Error: (.+)$/.exec(line)?.[1]).filter(Boolean)
    this.reason = plainText(logged.pop() ?? nameOf(error))
      .slice(0, MOST_CHARACTERS)
      .trim()
  }
}

/** Returns the name of an error of the network; empty for the number of a program's own error. */
function nameOf(error: unknown): string {
  if (typeof error === 'string') return error
  const [name, detail] = Object.entries(error ?? {})[0] ?? ['']
  if (name !== 'InstructionError' || !Array.isArray(detail)) return name
  return typeof detail[1] === 'string' ? detail[1] : ''
}

/** Returns why a transfer would fail; undefined if its error does not say so. */
export function refusalIn(error: unknown): TransferRefusal | undefined {
  if (error instanceof UnsendableError) return { page: { message: error.message, key: error.key } }
  return error instanceof SimulationError ? { chain: error.reason } : undefined
}
