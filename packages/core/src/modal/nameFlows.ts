import type { Message } from '@hawser/texts/message'
import { goBack, goBackToIndex, pushView, replaceView } from '../router/navigate.ts'
import { showToast } from '../toast/toast.ts'
import type { Hawser } from '../types/hawser.ts'
import type { NameDraft } from '../types/names.ts'
import type { View } from '../types/router.ts'
import { isShown, showFailure, showView } from './show.ts'

/** What an action of names did; see `Outcome`. A `message` is for the visitor. */
export type NameOutcome =
  | { readonly kind: 'nameSelected' }
  | { readonly kind: 'registrationOpened'; readonly isPending: boolean }
  | { readonly kind: 'registrationStarted' }
  | ({ readonly kind: 'registrationSucceeded' } & Message)
  | ({ readonly kind: 'registrationFailed'; readonly isDeclined: boolean } & Message)
  | { readonly kind: 'nameChangeOpened'; readonly change: NameDraft['kind'] }
  | ({ readonly kind: 'nameChanged'; readonly change: NameDraft['kind'] } & Message)
  | ({
      readonly kind: 'nameChangeFailed'
      readonly change: NameDraft['kind']
      readonly isDeclined: boolean
    } & Message)

/** Shows the view and the toast that follow an outcome of names. Apart from `follow`, so that it is loaded with them. */
export function reportName(hawser: Hawser, outcome: NameOutcome): void {
  switch (outcome.kind) {
    case 'nameSelected':
      pushView(hawser, 'NameDetail')
      break
    case 'registrationOpened':
      showView(hawser, outcome.isPending ? 'RegisterAccountNameSuccess' : 'RegisterAccountName')
      break
    case 'registrationStarted':
      replaceView(hawser, 'RegisterAccountNameSuccess')
      break
    case 'registrationSucceeded':
      if (!isShown(hawser, 'RegisterAccountNameSuccess'))
        showToast(hawser, { ...outcome, variant: 'success' })
      break
    case 'registrationFailed':
      if (isShown(hawser, 'RegisterAccountNameSuccess')) replaceView(hawser, 'RegisterAccountName')
      showFailure(hawser, outcome)
      break
    case 'nameChangeOpened':
      pushView(hawser, changeViews[outcome.change])
      break
    case 'nameChanged':
      showToast(hawser, { ...outcome, variant: 'success' })
      leaveNameChange(hawser, outcome.change)
      break
    case 'nameChangeFailed':
      if (!isShown(hawser, changeViews[outcome.change])) showFailure(hawser, outcome)
      break
  }
}

/** The form of each change of a name. */
const changeViews: Readonly<Record<NameDraft['kind'], View>> = {
  records: 'NameRecords',
  address: 'NameAddress',
  transfer: 'NameTransfer',
  release: 'NameRelease',
  accept: 'NameDetail',
}

/** Opens the modal with the names of the active account, or shows them in the open modal. */
export function openNames(hawser: Hawser): void {
  showView(hawser, 'Names')
}

/** Leaves the form of a change. A name that was transferred or released is not shown again. */
function leaveNameChange(hawser: Hawser, change: NameDraft['kind']): void {
  const { view, history } = hawser.router.getState()
  if (change === 'accept' || view !== changeViews[change]) return
  const isGone = change === 'transfer' || change === 'release'
  const list = history.lastIndexOf('Names')
  if (isGone && list >= 0) goBackToIndex(hawser, list)
  else goBack(hawser)
}
