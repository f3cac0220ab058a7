import type { Message } from '@hawser/texts/message'
import { TOAST_CHARACTER_MS, TOAST_DURATION_MS, TOAST_REPLACE_DELAY_MS } from '../constants.ts'
import type { Hawser } from '../types/hawser.ts'
import type { ToastState } from '../types/state.ts'

export const initialToast: ToastState = { message: '', variant: 'success', open: false, autoClose: true }

/** A short message above the modal, or above the page while it is closed. */
export interface Toast extends Message {
  readonly variant: ToastState['variant']
  /** Closes by itself unless this is false: after 2.5 s, or later when its message takes longer to read. */
  readonly autoClose?: boolean
}

/** Shows a toast. An open one is hidden first, and the new one follows after 150 ms. */
export function showToast(hawser: Hawser, toast: Toast): void {
  if (!hawser.toast.getState().open) {
    appear(hawser, toast)
    return
  }
  hawser.toast.setState({ open: false })
  hawser.timers.set('toast', TOAST_REPLACE_DELAY_MS, () => appear(hawser, toast))
}

/** Hides the toast and cancels a pending one. */
export function hideToast(hawser: Hawser): void {
  hawser.timers.cancel('toast')
  hawser.toast.setState({ open: false })
}

/**
 * Hides the toast of a failure that is over.
 *
 * @param message hides only a toast with this text.
 */
export function endFailure(hawser: Hawser, message?: string): void {
  const { open, variant, message: shown } = hawser.toast.getState()
  const isFailure = variant === 'error' || variant === 'neutral'
  if (open && isFailure && (message === undefined || message === shown)) hideToast(hawser)
}

function appear(hawser: Hawser, { message, key, values, variant, autoClose = true }: Toast): void {
  hawser.toast.setState({ message, key, values, variant, autoClose, open: true })
  if (autoClose)
    hawser.timers.set('toast', Math.max(TOAST_DURATION_MS, TOAST_CHARACTER_MS * message.length), () =>
      hawser.toast.setState({ open: false }),
    )
}
