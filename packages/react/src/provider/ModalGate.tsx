import { closeModal } from '@hawser/core'
import { type ComponentType, useEffect, useState } from 'react'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { loadModal } from './loadModal.ts'

/** Stands in for the modal until its code is here. */
export function ModalGate() {
  const hawser = useHawser()
  const open = useHawserState(hawser.modal, (state) => state.open)
  const [Modal, setModal] = useState<ComponentType>()

  useEffect(() => {
    if (Modal) return
    let current = true
    const load = () =>
      loadModal().then(
        (module) => current && setModal(() => module.Modal),
        (error: unknown) => {
          if (!open) return
          console.error('The modal could not be loaded', error)
          closeModal(hawser)
        },
      )
    const cancel = open ? void load() : whenIdle(load)
    return () => {
      current = false
      cancel?.()
    }
  }, [Modal, open, hawser])

  return Modal ? <Modal /> : null
}

function whenIdle(task: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(task, { timeout: 3000 })
    return () => cancelIdleCallback(handle)
  }
  const timer = setTimeout(task, 1000)
  return () => clearTimeout(timer)
}
