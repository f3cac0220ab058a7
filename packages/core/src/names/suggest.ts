import { messageData } from '@hawser/client'
import { isSmartAccount } from '../account/account.ts'
import { activeOwner } from '../account/owner.ts'
import { thrown } from '../errors/thrown.ts'
import { namesClient } from '../gateway/clients.ts'
import { isServed } from '../gateway/servedFeatures.ts'
import { NAME_DEBOUNCE_MS } from '../limits.ts'
import { reportName } from '../modal/nameFlows.ts'
import type { Hawser } from '../types/hawser.ts'
import type { NameSuggestion } from '../types/names.ts'
import { resetNames } from './draft.ts'
import { labelProblem } from './readiness.ts'

/** Opens the form of a new name, or the pending registration if there is one. */
export function openRegisterName(hawser: Hawser): void {
  const { status } = hawser.names.getState()
  const isUnderWay = status === 'signing' || status === 'registering'
  if (!isUnderWay) resetNames(hawser)
  hawser.events.emit({
    event: 'OPEN_ENS_FLOW',
    properties: {
      network: hawser.chain.getState().activeCaipNetwork?.caipNetworkId ?? '',
      isSmartAccount: isSmartAccount(hawser),
    },
  })
  reportName(hawser, { kind: 'registrationOpened', isPending: isUnderWay })
}

/** Sets the typed label, in lower case. Once typing stops for half a second, its availability is requested. */
export function setNameLabel(hawser: Hawser, text: string): void {
  const label = text.trim().toLowerCase()
  hawser.latest.abandon('names:suggestions')
  hawser.timers.cancel('names:debounce')
  hawser.names.setState({ label, suggestions: [], hasFailed: false, error: undefined, isDeclined: false })
  if (labelProblem(label)) return
  hawser.timers.set('names:debounce', NAME_DEBOUNCE_MS, () => void suggestNames(hawser))
}

/** Requests whether the typed label is available, and similar names. Never throws: a failure is in the state. */
export async function suggestNames(hawser: Hawser): Promise<void> {
  const { label } = hawser.names.getState()
  const owner = activeOwner(hawser)
  if (labelProblem(label) || !owner) return
  const { isCurrent, signal } = hawser.latest.begin('names:suggestions')
  hawser.names.setState({ suggestions: [], hasFailed: false })
  try {
    const served = await isServed(hawser, owner.network.caipNetworkId)
    const suggestions = served ? await nameSuggestions(hawser, label, signal) : []
    if (!isCurrent()) return
    hawser.names.setState({ suggestions, hasFailed: suggestions.length === 0 })
  } catch {
    if (isCurrent()) hawser.names.setState({ hasFailed: true })
  }
}

/**
 * Returns whether a name is available, and similar names.
 *
 * @param name a label, without the parent name
 * @throws Error "Error fetching name suggestions" when the request fails.
 */
export async function nameSuggestions(
  hawser: Hawser,
  name: string,
  signal?: AbortSignal,
): Promise<readonly NameSuggestion[]> {
  try {
    const { suggestions } = await (await namesClient(hawser)).suggestNames(
      { name },
      { ...(signal && { signal }) },
    )
    return messageData(suggestions)
  } catch (error) {
    throw new Error(thrown.nameSuggestionsFailed, { cause: error })
  }
}
