import { ConnectError, type Connector, connect, type Message, thrownMessage } from '@hawser/core'
import { useCallback, useEffect, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useMessages } from '../../locale/textsOf.ts'
import { useTexts } from '../../locale/useTexts.ts'

type Status = 'asking' | 'connected' | 'declined' | 'failed'

export interface ConnectAttempt {
  status: Status
  /** The error text; undefined when the visitor declined. */
  detail: string
  retry: () => void
}

/** Connects once on mount, and again on demand. Unmounting does not cancel the wallet's prompt. */
export function useConnectAttempt(connector: Connector | undefined): ConnectAttempt {
  const texts = useTexts()
  const messages = useMessages()
  const hawser = useHawser()
  const [status, setStatus] = useState<Status>('asking')
  const [detail, setDetail] = useState<Message>({ message: '' })

  const attempt = useCallback(async () => {
    if (!connector) return setStatus('failed')
    setStatus('asking')
    try {
      await connect(hawser, { connector })
      setStatus('connected')
    } catch (error) {
      if (error instanceof ConnectError && error.kind === 'superseded') return
      if (error instanceof ConnectError && error.kind === 'rejected') return setStatus('declined')
      setDetail(error instanceof ConnectError ? error : thrownMessage('connectFailed'))
      setStatus('failed')
    }
  }, [hawser, connector])

  // Strict mode runs this twice; core shares one request.
  useEffect(() => void attempt(), [attempt])

  return { status, detail: connector ? messages(detail) : texts.connecting.unavailable, retry: attempt }
}
