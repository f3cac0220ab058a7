import {
  ConnectError,
  type Connector,
  cancelPairing,
  isPairingExpired,
  type Message,
  pair,
  type SelectedWallet,
} from '@hawser/core'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useMessages } from '../../locale/textsOf.ts'

/** A code that is not scanned is renewed this often; after that the visitor has to. */
const MOST_RENEWALS = 3
/** A longer wait for the code is explained, with a button to try again. */
const SLOW_MS = 4_000

/** Codes of Connect: the project does not list the page's origin, or the gateway has no hand-offs. */
const refusals: readonly unknown[] = ['permission_denied', 'unimplemented']

type PairingStatus = 'offering' | 'expired' | 'declined' | 'failed'

export interface PairingAttempt {
  status: PairingStatus
  /** The error text of a failure. */
  detail: string
  /** The URI to show; undefined while it is prepared, and once it expired. */
  uri: string | undefined
  /** Whether the gateway starts no hand-offs for this page. */
  isRefused: boolean
  /** Whether the code has been prepared for long: the relay does not answer. */
  isSlow: boolean
  /** Offers a new pairing. */
  retry: () => void
}

/**
 * Offers a pairing on mount. An expired one is renewed while the page is visible, a few times; unmounting keeps it, so
 * that another view can go on with it.
 *
 * @param isHandoff hands over to a page in the browser of the wallet, whose URL is the URI then.
 */
export function usePairing(
  connector: Connector | undefined,
  wallet: SelectedWallet | undefined,
  isHandoff = false,
): PairingAttempt {
  const hawser = useHawser()
  const messages = useMessages()
  const [status, setStatus] = useState<PairingStatus>('offering')
  const [detail, setDetail] = useState<Message>({ message: '' })
  const [isRefused, setRefused] = useState(false)
  const renewals = useRef(0)

  const start = useCallback(async () => {
    if (!connector) return
    setStatus('offering')
    try {
      await pair(hawser, { connector, wallet, isHandoff })
    } catch (error) {
      if (!(error instanceof ConnectError) || error.kind === 'superseded') return
      if (error.kind === 'expired') return setStatus('expired')
      setDetail(error)
      setRefused(refusals.includes((error.cause as { code?: string } | undefined)?.code))
      setStatus(error.kind === 'rejected' ? 'declined' : 'failed')
    }
  }, [hawser, connector, wallet, isHandoff])

  // Strict mode runs this twice; core shares one attempt.
  useEffect(() => void start(), [start])

  const uri = useHawserState(hawser.connection, (state) => state.wcUri)
  const expiry = useHawserState(hawser.connection, (state) => state.wcPairingExpiry)
  useEffect(() => {
    if (expiry === undefined) return
    return hawser.clock.after(Math.max(0, expiry - hawser.clock.now()), () => {
      const { handoff } = hawser.connection.getState()
      if (handoff?.isConfirmed) return
      if (handoff || document.hidden || renewals.current >= MOST_RENEWALS) return setStatus('expired')
      renewals.current += 1
      void start()
    })
  }, [hawser, expiry, start])

  const isWaiting = connector !== undefined && status === 'offering' && uri === undefined
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    setSlow(false)
    if (isWaiting) return hawser.clock.after(SLOW_MS, () => setSlow(true))
  }, [hawser, isWaiting])

  const retry = useCallback(() => {
    renewals.current = 0
    setSlow(false)
    if (!isPairingExpired(hawser)) cancelPairing(hawser)
    void start()
  }, [hawser, start])

  const offered = status === 'offering' ? uri : undefined
  return { status, detail: messages(detail), uri: offered, isRefused, isSlow, retry }
}
