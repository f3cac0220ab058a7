import { useCallback, useState } from 'react'
import { type Failure, failureOf } from './failure.ts'

/** A call that changes something, as a button starts it. */
export interface Action<Arguments extends readonly unknown[]> {
  /** Starts the call; resolves with whether it succeeded. Ignored while one is pending. */
  readonly run: (...args: Arguments) => Promise<boolean>
  readonly isPending: boolean
  readonly failure: Failure | undefined
  readonly clear: () => void
}

/** Runs a call once at a time, and keeps why the last one failed. */
export function useAction<Arguments extends readonly unknown[]>(
  call: (...args: Arguments) => Promise<unknown>,
): Action<Arguments> {
  const [state, setState] = useState<{ isPending: boolean; failure?: Failure }>({ isPending: false })
  const { isPending } = state
  const run = async (...args: Arguments) => {
    if (isPending) return false
    setState({ isPending: true })
    try {
      await call(...args)
      setState({ isPending: false })
      return true
    } catch (error) {
      setState({ isPending: false, failure: failureOf(error) })
      return false
    }
  }
  return {
    run,
    isPending,
    failure: state.failure,
    clear: useCallback(() => setState({ isPending: false }), []),
  }
}
