import type { Message } from '@hawser/texts/message'
import { pushView } from '../router/navigate.ts'
import { showToast } from '../toast/toast.ts'
import type { Hawser } from '../types/hawser.ts'
import { openModal } from './modal.ts'

/** What an action of smart sessions did; see `Outcome`. A `message` is for the visitor. */
export type SessionOutcome =
  | { readonly kind: 'sessionCreated' }
  | ({ readonly kind: 'sessionsFailed' } & Message)
  | ({ readonly kind: 'revocationFailed'; readonly isDeclined: boolean } & Message)

/** Shows the view and the toast that follow an outcome of smart sessions. Apart from `follow`, so that it is loaded with them. */
export function reportSession(hawser: Hawser, outcome: SessionOutcome): void {
  switch (outcome.kind) {
    case 'sessionCreated':
      if (hawser.modal.getState().open) pushView(hawser, 'SmartSessionCreated')
      else openModal(hawser, { view: 'SmartSessionCreated' })
      break
    case 'sessionsFailed':
      showToast(hawser, { ...outcome, variant: 'error' })
      break
    case 'revocationFailed':
      showToast(hawser, { ...outcome, variant: outcome.isDeclined ? 'neutral' : 'error' })
      break
  }
}
