import { useEffect, useRef, useState } from 'react'
import { type Failure, failureOf, isSignedOut } from './failure.ts'

/** The latest message of a stream. */
export interface Streaming<Message> {
  readonly message: Message | undefined
  /** Why nothing comes any more; the message is then an old one. */
  readonly failure: Failure | undefined
  readonly isLive: boolean
}

const FIRST_DELAY_MS = 1_000
const LONGEST_DELAY_MS = 30_000
/** How long a stream may send nothing: the server sends a message each five seconds. */
const SILENCE_MS = 30_000

/**
 * Follows a stream of the server while the component is mounted and the page is visible. A stream that ends or fails is opened again, with growing
 * pauses until it sends something.
 */
export function useStream<Message>(
  open: (signal: AbortSignal) => AsyncIterable<Message>,
): Streaming<Message> {
  const latest = useRef(open)
  latest.current = open
  const [state, setState] = useState<Streaming<Message>>({
    message: undefined,
    failure: undefined,
    isLive: false,
  })

  useEffect(() => {
    let stop: AbortController | undefined
    const start = () => {
      stop?.abort()
      stop = undefined
      if (document.hidden) return
      stop = new AbortController()
      void follow((signal) => latest.current(signal), stop.signal, setState)
    }
    start()
    document.addEventListener('visibilitychange', start)
    return () => {
      document.removeEventListener('visibilitychange', start)
      stop?.abort()
    }
  }, [])

  return state
}

async function follow<Message>(
  open: (signal: AbortSignal) => AsyncIterable<Message>,
  signal: AbortSignal,
  setState: (change: (before: Streaming<Message>) => Streaming<Message>) => void,
): Promise<void> {
  for (let delay = FIRST_DELAY_MS; !signal.aborted; delay = Math.min(delay * 2, LONGEST_DELAY_MS)) {
    const attempt = startAttempt(signal)
    try {
      for await (const message of open(attempt.signal)) {
        if (signal.aborted) return
        attempt.heard()
        delay = FIRST_DELAY_MS / 2
        setState(() => ({ message, failure: undefined, isLive: true }))
      }
      setState((before) => ({ ...before, isLive: false }))
    } catch (error) {
      if (signal.aborted) return
      const failure = failureOf(error)
      setState((before) => ({ ...before, failure, isLive: false }))
      if (isSignedOut(failure)) return
    } finally {
      attempt.end()
    }
    await pause(delay, signal)
  }
}

/** Returns a signal that is aborted with another one, or when nothing was heard for too long. */
function startAttempt(signal: AbortSignal) {
  const stop = new AbortController()
  const abort = () => stop.abort()
  let timer = setTimeout(abort, SILENCE_MS)
  signal.addEventListener('abort', abort)
  return {
    signal: stop.signal,
    heard() {
      clearTimeout(timer)
      timer = setTimeout(abort, SILENCE_MS)
    },
    end() {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      abort()
    },
  }
}

/** Waits for half of the time to all of it, so that consoles do not come back together. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms / 2 + (Math.random() * ms) / 2)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
