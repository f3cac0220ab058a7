import type { RelayRefusal } from '../types/connector.ts'
import type { Hawser } from '../types/hawser.ts'
import { raiseAlert } from './alert.ts'

/** Shows the developer of the site why a relay refused the page for good. */
export function showRefusal(hawser: Hawser, refusal: RelayRefusal): void {
  if (refusal === 'token') raiseAlert(hawser, 'sessionExpired')
  else if (refusal === 'project') raiseAlert(hawser, 'invalidProjectId')
  else raiseAlert(hawser, 'originNotAllowed', { origin: globalThis.location?.origin ?? '' })
}
