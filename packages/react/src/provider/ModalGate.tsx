import { closeModal } from '@hawser/core'
import { type ComponentType, useEffect, useState } from 'react'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { loadModal } from './loadModal.ts'

/** Stands in for the modal until its code is here: for a visitor who opens it, or who is told something. */
export function ModalGate() {
  const hawser = useHawser()
  const open = useHawserState(hawser.modal, (state) => state.open)
  const isTelling = useHawserState(hawser.toast, (state) => state.open)
  const [Modal, setModal] = useState<ComponentType>()

  useEffect(() => {
    if (Modal || !(open || isTelling)) return
    let current = true
    loadModal().then(
      (module) => current && setModal(() => module.Modal),
      (error: unknown) => {
        console.error('The modal could not be loaded', error)
        closeModal(hawser)
      },
    )
    return () => {
      current = false
    }
  }, [Modal, open, isTelling, hawser])

  return Modal ? <Modal /> : null
}
