import { type AlertName, alerts } from '../errors/alerts.ts'
import type { Hawser } from '../types/hawser.ts'
import type { AlertState } from '../types/state.ts'

export const initialAlert: AlertState = { message: '', variant: 'info', open: false }

/**
 * Tells the developer what is wrong with the set-up: in full on the console always, by its title on the page when
 * `debug` is on.
 */
export function raiseAlert(hawser: Hawser, name: AlertName, placeholders: Record<string, string> = {}): void {
  logAlert(name, placeholders)
  const { title } = alerts[name]
  if (hawser.options.getState().debug) hawser.alert.setState({ message: title, variant: 'error', open: true })
}

/** Writes an alert to the console alone, where there is no kit yet to show it. */
export function logAlert(name: AlertName, placeholders: Record<string, string> = {}): void {
  const { detail } = alerts[name]
  console.error(`[hawser] ${detail.replace(/\{(\w+)\}/g, (text, key: string) => placeholders[key] ?? text)}`)
}

export function closeAlert(hawser: Hawser): void {
  hawser.alert.setState(initialAlert)
}
