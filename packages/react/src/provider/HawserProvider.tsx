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

/** Provides a Hawser to the hooks and components below it, starts wallet discovery and renders the modal. */
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
