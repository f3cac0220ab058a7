import { hideToast, showToast } from '@hawser/core'
import { useMemo } from 'react'
import { useHawser } from './useHawser.ts'

type ToastContent = Parameters<typeof showToast>[1]

/** What `useToast` returns. */
export interface ToastControls {
  show: (toast: ToastContent) => void
  hide: () => void
}

/**
 * Returns functions for toasts: a toast is shown in the modal while it is open, at the foot of the page
 * otherwise.
 */
export function useToast(): ToastControls {
  const hawser = useHawser()
  return useMemo(
    () => ({ show: (toast) => showToast(hawser, toast), hide: () => hideToast(hawser) }),
    [hawser],
  )
}
