import type { Clock } from '../environment.ts'

/** Longest silence of a socket that is taken as healthy: while an answer of the peer is awaited, and otherwise. */
const SILENCE_MS = { awaiting: 5_000, idle: 30_000 }

/** Finds out that a socket is dead without a close event: nothing was received on it for too long. */
export interface Heartbeat {
  /** Starts to probe the socket that was opened. */
  start(): void
  stop(): void
  /** A frame was received. */
  received(): void
  /** Probes the socket more often until the returned function is called. */
  expectAnswer(): () => void
  /** Calls back after a deadline in which nothing was received. */
  expectFrame(deadlineMs: number, late: () => void): void
}

/** Creates a heartbeat. @param probe requests what the relay answers at once */
export function createHeartbeat(clock: Clock, probe: () => void): Heartbeat {
  let lastFrameAt = 0
  let awaited = 0
  /** While there is an open socket. */
  let cancelBeat: (() => void) | undefined

  function silenceMs(): number {
    return awaited > 0 ? SILENCE_MS.awaiting : SILENCE_MS.idle
  }

  function schedule(): void {
    cancelBeat?.()
    cancelBeat = clock.after(silenceMs(), () => {
      if (clock.now() - lastFrameAt >= silenceMs()) probe()
      schedule()
    })
  }

  return {
    start() {
      lastFrameAt = clock.now()
      schedule()
    },
    stop() {
      cancelBeat?.()
      cancelBeat = undefined
    },
    received() {
      lastFrameAt = clock.now()
    },
    expectAnswer() {
      let isAwaiting = true
      awaited += 1
      if (cancelBeat) schedule()
      return () => {
        if (isAwaiting) awaited -= 1
        isAwaiting = false
      }
    },
    expectFrame(deadlineMs, late) {
      const sentAt = clock.now()
      clock.after(deadlineMs, () => {
        if (lastFrameAt < sentAt) late()
      })
    },
  }
}
