import { closeModal } from '@hawser/core'
import { type ComponentType, useEffect, useState } from 'react'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { loadedModal, loadModal } from './loadModal.ts'

/** Renders the modal, whose chunk is loaded when the modal is opened or a toast is shown. */
export function ModalGate() {
  const hawser = useHawser()
  const open = useHawserState(hawser.modal, (state) => state.open)
  const hasToast = useHawserState(hawser.toast, (state) => state.open)
  const wanted = open || hasToast
  const [Modal, setModal] = useState<ComponentType>()

  // A chunk that is loaded already is rendered synchronously with the click.
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
