import { ConnectError, type Connector, connect, thrown } from '@hawser/core'
import { useCallback, useEffect, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { en } from '../../locale/en.ts'

type Status = 'asking' | 'connected' | 'declined' | 'failed'

export interface ConnectAttempt {
  status: Status
  /** What went wrong, when it was not the visitor who declined. */
  detail: string
  retry: () => void
}

/** Connects once when the view appears, and again on demand. Leaving the view does not cancel the wallet's prompt. */
export function useConnectAttempt(connector: Connector | undefined): ConnectAttempt {
  const hawser = useHawser()
  const [status, setStatus] = useState<Status>('asking')
  const [detail, setDetail] = useState('')

  const attempt = useCallback(async () => {
    if (!connector) {
      setDetail(en.connecting.unavailable)
      return setStatus('failed')
    }
    setStatus('asking')
    try {
      await connect(hawser, { connector })
      setStatus('connected')
    } catch (error) {
      if (error instanceof ConnectError && error.kind === 'superseded') return
      if (error instanceof ConnectError && error.kind === 'rejected') return setStatus('declined')
      setDetail(error instanceof ConnectError ? error.message : thrown.connectFailed)
      setStatus('failed')
    }
  }, [hawser, connector])

  // Strict mode runs this twice; the core asks the wallet once.
  useEffect(() => void attempt(), [attempt])

  return { status, detail, retry: attempt }
}
