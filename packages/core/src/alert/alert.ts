import type { Hawser } from '../types/hawser.ts'
import type { AlertState } from '../types/state.ts'

export interface AlertText {
  /** Shown on the page. */
  readonly title: string
  /** Written to the console; words in braces are placeholders. */
  readonly detail: string
}

/** Messages for the developer of a site that is configured wrongly, word for word. */
export const alerts = {
  networkNotFound: {
    title: 'Network Not Found',
    detail:
      "Network not found - please make sure it is included in 'networks' array in createHawser function",
  },
  originNotAllowed: {
    title: 'Invalid App Configuration',
    detail: 'Origin {origin} not found on Allowlist - update the allowed origins of the project',
  },
  socialsTimeout: {
    title: 'Invalid App Configuration',
    detail: 'There was an issue loading the embedded wallet. Please verify that your domain is allowed',
  },
  invalidProjectId: {
    title: 'Invalid App Configuration',
    detail: 'Invalid Project ID - update configuration',
  },
  sessionExpired: {
    title: 'Session Expired',
    detail: 'Invalid session found - please check your time settings and connect again',
  },
  projectIdNotConfigured: {
    title: 'Project ID Not Configured',
    detail: 'Project ID Not Configured - update configuration',
  },
} as const satisfies Record<string, AlertText>

export type AlertName = keyof typeof alerts

export const initialAlert: AlertState = { message: '', variant: 'info', open: false }

/** Reports a configuration error to the developer: on the console always, and on the page when `debug` is on. */
export function raiseAlert(hawser: Hawser, name: AlertName, placeholders: Record<string, string> = {}): void {
  logAlert(name, placeholders)
  const { title } = alerts[name]
  if (hawser.options.getState().debug) hawser.alert.setState({ message: title, variant: 'error', open: true })
}

/** Writes an alert to the console only, when there is no instance to show it yet. */
export function logAlert(name: AlertName, placeholders: Record<string, string> = {}): void {
  const { detail } = alerts[name]
  console.error(`[hawser] ${detail.replace(/\{(\w+)\}/g, (text, key: string) => placeholders[key] ?? text)}`)
}

export function closeAlert(hawser: Hawser): void {
  hawser.alert.setState(initialAlert)
}
