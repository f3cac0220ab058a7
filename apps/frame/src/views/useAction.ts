import { useState } from 'preact/hooks'
import { failureText } from '../locale/failureText.ts'
import { useTexts } from '../locale/useLanguage.ts'

/** Runs an action of a button; the returned error is for the user. */
export function useAction() {
  const texts = useTexts()
  const [failure, setFailure] = useState<unknown>()
  const [isPending, setPending] = useState(false)
  return {
    error: failure === undefined ? '' : failureText(failure, texts),
    isPending,
    async run(action: () => Promise<void>) {
      setFailure(undefined)
      setPending(true)
      try {
        await action()
      } catch (thrown) {
        setFailure(thrown)
      } finally {
        setPending(false)
      }
    },
  }
}
