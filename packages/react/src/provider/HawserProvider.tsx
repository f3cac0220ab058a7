import type { Hawser } from '@hawser/core'
import { type ReactNode, useEffect, useMemo } from 'react'
import { HawserContext } from './context.ts'
import { preloadModal } from './loadModal.ts'
import { ModalGate } from './ModalGate.tsx'
import { usePrefetch } from './usePrefetch.ts'

export interface HawserProviderProps {
  /** From `createHawser`; keep one instance for the life of the page. */
  hawser: Hawser
  children: ReactNode
}

/** Gives the hooks and buttons below it a Hawser, starts wallet discovery and holds the modal. */
export function HawserProvider({ hawser, children }: HawserProviderProps) {
  useEffect(() => hawser.mount(), [hawser])
  usePrefetch(hawser)
  const value = useMemo(() => ({ hawser, preload: () => void preloadModal(hawser) }), [hawser])
  return (
    <HawserContext.Provider value={value}>
      {children}
      <ModalGate />
    </HawserContext.Provider>
  )
}
