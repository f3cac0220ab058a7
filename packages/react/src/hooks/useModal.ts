import { closeModal, openModal } from '@hawser/core'
import { useMemo } from 'react'
import { useHawser } from './useHawser.ts'
import { useHawserState } from './useHawserState.ts'

type OpenOptions = Parameters<typeof openModal>[1]

/** What `useModal` returns. */
export interface Modal {
  isOpen: boolean
  /** Opens at once, on the account when connected and on the wallets otherwise. */
  open: (options?: OpenOptions) => void
  close: () => void
}

/** Returns functions that open and close the modal. */
export function useModal(): Modal {
  const hawser = useHawser()
  const isOpen = useHawserState(hawser.modal, (state) => state.open)
  const actions = useMemo(
    () => ({ open: (options?: OpenOptions) => openModal(hawser, options), close: () => closeModal(hawser) }),
    [hawser],
  )
  return { isOpen, ...actions }
}
