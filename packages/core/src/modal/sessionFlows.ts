import { pushView } from '../router/navigate.ts'
import { showToast } from '../toast/toast.ts'
import type { Hawser } from '../types/hawser.ts'
import { openModal } from './modal.ts'

/** What an action of smart sessions did; see `Outcome`. A `message` is for the visitor. */
export type SessionOutcome =
  | { readonly kind: 'sessionCreated' }
  | { readonly kind: 'sessionsFailed'; readonly message: string }
  | { readonly kind: 'revocationFailed'; readonly message: string; readonly isDeclined: boolean }

/** Shows the view and the toast that follow an outcome of smart sessions. Apart from `follow`, so that it is loaded with them. */
export function reportSession(hawser: Hawser, outcome: SessionOutcome): void {
  switch (outcome.kind) {
    case 'sessionCreated':
      if (hawser.modal.getState().open) pushView(hawser, 'SmartSessionCreated')
      else openModal(hawser, { view: 'SmartSessionCreated' })
      break
    case 'sessionsFailed':
      showToast(hawser, { message: outcome.message, variant: 'error' })
      break
    case 'revocationFailed':
      showToast(hawser, { message: outcome.message, variant: outcome.isDeclined ? 'neutral' : 'error' })
      break
  }
}
