import './embed.css'
import { openModal } from '@hawser/core'
import { useAccount, useHawser, useHawserState } from '@hawser/react'
import { useEffect, useRef } from 'react'
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
  const shown = useRef(isConnected)
  useDocumentTheme()
  useEffect(() => {
    if (open && shown.current === isConnected) return
    shown.current = isConnected
    keepFocus(() => openModal(hawser))
  }, [hawser, open, isConnected])
  return null
}
