import { TOAST_DURATION_MS, TOAST_REPLACE_DELAY_MS } from '../constants.ts'
import type { Hawser } from '../types/hawser.ts'
import type { ToastState } from '../types/state.ts'

export const initialToast: ToastState = { message: '', variant: 'success', open: false, autoClose: true }

export interface Toast {
  readonly message: string
  readonly variant: ToastState['variant']
  /** Closes by itself after 2.5 s unless this is false. */
  readonly autoClose?: boolean
}

/** Shows a toast. One that is open is hidden first, and the new one follows 150 ms later. */
export function showToast(hawser: Hawser, toast: Toast): void {
  if (!hawser.toast.getState().open) {
    appear(hawser, toast)
    return
  }
  hawser.toast.setState({ open: false })
  hawser.timers.set('toast', TOAST_REPLACE_DELAY_MS, () => appear(hawser, toast))
}

/** Hides the toast, and forgets one that is about to appear. */
export function hideToast(hawser: Hawser): void {
  hawser.timers.cancel('toast')
  hawser.toast.setState({ open: false })
}

/**
 * Hides the toast of a failure or a refusal that is over, because what failed is tried again or has worked since.
 *
 * @param message hides only the toast that says this.
 */
export function endFailure(hawser: Hawser, message?: string): void {
  const { open, variant, message: shown } = hawser.toast.getState()
  const isFailure = variant === 'error' || variant === 'neutral'
  if (open && isFailure && (message === undefined || message === shown)) hideToast(hawser)
}

function appear(hawser: Hawser, { message, variant, autoClose = true }: Toast): void {
  hawser.toast.setState({ message, variant, autoClose, open: true })
  if (autoClose) hawser.timers.set('toast', TOAST_DURATION_MS, () => hawser.toast.setState({ open: false }))
}
