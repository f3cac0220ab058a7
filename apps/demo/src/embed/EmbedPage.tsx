import './embed.css'
import { openModal } from '@hawser/core'
import { useAccount, useHawser, useHawserState } from '@hawser/react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useDocumentTheme } from '../page/useDocumentTheme.ts'
import { keepFocus } from './keepFocus.ts'

/**
 * The modal alone, opened again whenever it closes: what the front page shows in a frame. It shows the account that is
 * connected on the front page, and the wallets once that is disconnected.
 */
export function EmbedPage() {
  const hawser = useHawser()
  const open = useHawserState(hawser.modal, (state) => state.open)
  const { isConnected } = useAccount()
  const isInert = useSyncExternalStore(watchFrame, () => window.frameElement?.hasAttribute('inert') ?? false)
  const shown = useRef(isConnected)
  useDocumentTheme()
  useEffect(() => {
    // While the page's own modal is open, a change here would take the keyboard from it.
    if (isInert || (open && shown.current === isConnected)) return
    shown.current = isConnected
    keepFocus(() => openModal(hawser))
  }, [hawser, open, isConnected, isInert])
  return null
}

/** Calls back when the frame that this page is in becomes inert, or is no longer. */
function watchFrame(changed: () => void): () => void {
  const observer = new MutationObserver(changed)
  if (window.frameElement) observer.observe(window.frameElement, { attributeFilter: ['inert'] })
  return () => observer.disconnect()
}
