import { closeModal } from '@hawser/core'
import { type ComponentType, useEffect, useState } from 'react'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { loadedModal, loadModal } from './loadModal.ts'

/** Stands in for the modal until its code is here: for a visitor who opens it, or who is told something. */
export function ModalGate() {
  const hawser = useHawser()
  const open = useHawserState(hawser.modal, (state) => state.open)
  const isTelling = useHawserState(hawser.toast, (state) => state.open)
  const wanted = open || isTelling
  const [Modal, setModal] = useState<ComponentType>()

  // Code that was fetched before is shown with the click itself, not a task later.
  const loaded = Modal || !wanted ? undefined : loadedModal()
  if (loaded) setModal(() => loaded)

  useEffect(() => {
    if (Modal || !wanted) return
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
  }, [Modal, wanted, hawser])

  return Modal ? <Modal /> : null
}
