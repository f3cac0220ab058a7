import type { GatewayMode } from './flags.ts'

const slowDelayMs = 4_000

/** The way to the gateway, with a switch that breaks it. */
export class GatewayFault {
  constructor(public mode: GatewayMode) {}

  /** Fetches as the browser does; late, or not at all, as the switch says. */
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
