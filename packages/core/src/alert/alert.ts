import { type AlertName, alerts } from '../errors/catalogue.ts'
import type { Hawser } from '../types/hawser.ts'
import type { AlertState } from '../types/state.ts'

export const initialAlert: AlertState = { message: '', variant: 'info', open: false }

/** Tells the developer what is wrong with the set-up: on the console always, on the page when `debug` is on. */
export function raiseAlert(hawser: Hawser, name: AlertName, placeholders: Record<string, string> = {}): void {
  const message = alerts[name].replace(/\{(\w+)\}/g, (text, key: string) => placeholders[key] ?? text)
  console.error(`[hawser] ${message}`)
  if (hawser.options.getState().debug) hawser.alert.setState({ message, variant: 'error', open: true })
}

export function closeAlert(hawser: Hawser): void {
  hawser.alert.setState(initialAlert)
}
