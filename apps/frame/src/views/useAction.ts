import { useState } from 'preact/hooks'

/** Runs an action of a button; the returned error is for the user. */
export function useAction() {
  const [error, setError] = useState('')
  const [isPending, setPending] = useState(false)
  return {
    error,
    isPending,
    async run(action: () => Promise<void>) {
      setError('')
      setPending(true)
      try {
        await action()
      } catch (failure) {
        setError(messageOf(failure))
      } finally {
        setPending(false)
      }
    },
  }
}

/** Browsers say why a passkey was not used in words of their own, which are for developers. */
function messageOf(failure: unknown): string {
  if (failure instanceof DOMException)
    return failure.name === 'NotAllowedError' ? 'The passkey was not used' : 'The passkey failed'
  return failure instanceof Error ? failure.message : 'Something went wrong'
}
