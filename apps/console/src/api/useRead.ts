import { useCallback, useEffect, useRef, useState } from 'react'
import { type Failure, failureOf } from './failure.ts'

/** What was read, and how that went. */
export interface Reading<Data> {
  /** The latest answer; kept while it is read again. */
  readonly data: Data | undefined
  readonly failure: Failure | undefined
  readonly isLoading: boolean
  /** Reads again. */
  readonly reload: () => void
}

/**
 * Reads when the component is mounted and when the key changes. An answer that comes after a later key is dropped.
 *
 * @param key names what is read; undefined reads nothing.
 */
export function useRead<Data>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<Data>,
): Reading<Data> {
  const latest = useRef(load)
  latest.current = load
  const [round, setRound] = useState(0)
  const [state, setState] = useState<{
    key?: string | undefined
    data?: Data
    failure?: Failure
    done: boolean
  }>({
    done: false,
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round reads again
  useEffect(() => {
    if (key === undefined) return
    const stop = new AbortController()
    setState((before) =>
      before.key === key && before.data !== undefined
        ? { key, data: before.data, done: false }
        : { key, done: false },
    )
    latest.current(stop.signal).then(
      (data) => !stop.signal.aborted && setState({ key, data, done: true }),
      (error: unknown) =>
        !stop.signal.aborted &&
        setState((before) => ({ ...before, key, failure: failureOf(error), done: true })),
    )
    return () => stop.abort()
  }, [key, round])

  const reload = useCallback(() => setRound((before) => before + 1), [])
  const current = state.key === key
  return {
    data: current ? state.data : undefined,
    failure: current ? state.failure : undefined,
    isLoading: key !== undefined && !(current && state.done),
    reload,
  }
}
