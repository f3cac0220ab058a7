import type { Message } from '@hawser/texts/message'
import { pushView } from '../router/navigate.ts'
import { showToast } from '../toast/toast.ts'
import type { Hawser } from '../types/hawser.ts'
import type { RouterData, View } from '../types/router.ts'
import { openModal } from './modal.ts'

/** Opens the modal with a view, or pushes the view in the open modal. */
export function showView(hawser: Hawser, view: View, data?: RouterData): void {
  if (isOpen(hawser)) pushView(hawser, view, data)
  else openModal(hawser, { view, ...(data && { data }) })
}

/** Shows a toast that stays until another one replaces it. */
export function showPending(hawser: Hawser, message: Message): void {
  showToast(hawser, { ...message, variant: 'loading', autoClose: false })
}

/** Shows a toast about the end of something. */
export function showEnd(
  hawser: Hawser,
  { hasSucceeded, ...message }: Message & { readonly hasSucceeded: boolean },
): void {
  showToast(hawser, { ...message, variant: hasSucceeded ? 'success' : 'error' })
}

/** Shows a toast about a failure, or about what the visitor declined. */
export function showFailure(
  hawser: Hawser,
  { isDeclined, ...message }: Message & { readonly isDeclined: boolean },
): void {
  showToast(hawser, { ...message, variant: isDeclined ? 'neutral' : 'error' })
}

export function isOpen(hawser: Hawser): boolean {
  return hawser.modal.getState().open
}

export function isShown(hawser: Hawser, view: View): boolean {
  return isOpen(hawser) && viewOf(hawser) === view
}

export function viewOf(hawser: Hawser): View {
  return hawser.router.getState().view
}
