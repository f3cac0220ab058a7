import { visibleText } from '../plain.ts'
import { type Texts, textFor } from './texts.ts'

/** Returns the browser, the system or the network of a device in a language: names and addresses as they are. */
export function deviceText(text: string, { device }: Texts): string {
  return textFor(device.said, text) ?? visibleText(text)
}

/** Returns the label of a factor in a language. The vault stores it in English: `Passkey`, `Firefox 141 on Android`. */
export function factorLabel(label: string, texts: Texts): string {
  const { FACTOR_KIND_PASSKEY: passkey, FACTOR_KIND_PASSWORD: password } = texts.factors.kind
  if (label === 'Passkey') return passkey
  if (label === 'Password') return password
  const [, browser, system] = /^(?:Passkey on )?(.+) on (.+)$/.exec(label) ?? []
  if (!browser || !system) return visibleText(label)
  return texts.device.on(deviceText(browser, texts), deviceText(system, texts))
}
