import './embed.css'
import { openModal } from '@hawser/core'
import { useHawser, useHawserState } from '@hawser/react'
import { useEffect } from 'react'
import { useDocumentTheme } from '../page/useDocumentTheme.ts'

/** The modal alone, opened again whenever it closes: what the front page shows in a frame. */
export function EmbedPage() {
  const hawser = useHawser()
  const open = useHawserState(hawser.modal, (state) => state.open)
  useDocumentTheme()
  useEffect(() => {
    if (!open) openModal(hawser)
  }, [hawser, open])
  return null
}
