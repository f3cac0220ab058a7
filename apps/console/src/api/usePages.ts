import { useCallback, useEffect, useRef, useState } from 'react'
import { type Failure, failureOf } from './failure.ts'

/** One page of a list. */
export interface ListPage<Row> {
  readonly rows: readonly Row[]
  /** Cursor of the next page; empty on the last. */
  readonly next: string
}

/** The pages of a list that were read so far. */
export interface Pages<Row> {
  /** Undefined until the first page was read. */
  readonly rows: readonly Row[] | undefined
  readonly failure: Failure | undefined
  readonly isLoading: boolean
  readonly hasMore: boolean
  readonly loadMore: () => void
  /** Reads from the first page again. */
  readonly reload: () => void
}

interface State<Row> {
  readonly key: string
  readonly rows?: readonly Row[]
  readonly next: string
  readonly failure?: Failure
  readonly isLoading: boolean
}

/** Reads the first page when the component is mounted and when the key changes, and the next one on request. */
export function usePages<Row>(
  key: string,
  load: (cursor: string, signal: AbortSignal) => Promise<ListPage<Row>>,
): Pages<Row> {
  const latest = useRef(load)
  latest.current = load
  const reading = useRef<AbortController>(undefined)
  const [round, setRound] = useState(0)
  const [state, setState] = useState<State<Row>>({ key, next: '', isLoading: true })

  const read = useCallback((key: string, cursor: string) => {
    reading.current?.abort()
    const stop = new AbortController()
    reading.current = stop
    setState((before) => (cursor ? withoutFailure(before) : { key, next: '', isLoading: true }))
    latest.current(cursor, stop.signal).then(
      ({ rows, next }) => {
        if (stop.signal.aborted) return
        setState((before) => ({
          key,
          rows: cursor ? [...(before.rows ?? []), ...rows] : rows,
          next,
          isLoading: false,
        }))
      },
      (error: unknown) => {
        if (stop.signal.aborted) return
        setState((before) => ({ ...before, failure: failureOf(error), isLoading: false }))
      },
    )
    return () => stop.abort()
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round reads again
  useEffect(() => read(key, ''), [key, round, read])

  const { next } = state
  const current = state.key === key
  return {
    rows: current ? state.rows : undefined,
    failure: current ? state.failure : undefined,
    isLoading: !current || state.isLoading,
    hasMore: current && next !== '',
    loadMore: useCallback(() => void read(key, next), [key, next, read]),
    reload: useCallback(() => setRound((before) => before + 1), []),
  }
}

function withoutFailure<Row>({ failure: _, ...state }: State<Row>): State<Row> {
  return { ...state, isLoading: true }
}
