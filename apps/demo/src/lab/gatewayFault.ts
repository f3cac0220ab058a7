import type { GatewayMode } from './flags.ts'

const slowDelayMs = 4_000

/** A `fetch` to the gateway that can be made to fail. */
export class GatewayFault {
  constructor(public mode: GatewayMode) {}

  /** Fetches with the delay or failure that is set. */
  readonly fetch: typeof fetch = async (input, init) => {
    if (this.mode === 'offline') throw new TypeError('The gateway is switched off in the lab')
    if (this.mode === 'slow') await delay(slowDelayMs, init?.signal)
    return fetch(input, init)
  }
}

function delay(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
