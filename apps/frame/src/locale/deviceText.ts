import { frame as english } from '@hawser/texts/en/frame'
import { visibleText } from '@hawser/texts/format/visibleText'
import type { FrameTexts } from '@hawser/texts/frame/texts'
import { textFor } from '@hawser/texts/translated'

/** Returns the browser, the system or the network of a device in a language: names and addresses as they are. */
export function deviceText(text: string, { device }: FrameTexts): string {
  return textFor(device.said, text) ?? visibleText(text)
}

/** A factor of a wallet, in the JSON form of its message. */
export interface ShownFactor {
  readonly kind?: string
  /** In English, as the vault stores it: `Password`, `Firefox 141 on Android`, `Passkey on Firefox 141 on Android`. */
  readonly label?: string
  readonly currentDevice?: boolean
}

/** Returns the name of a factor in a language: its kind and its device, such as `Passkey: Firefox 141 on Android`. */
export function factorText({ kind = '', label = '', currentDevice }: ShownFactor, texts: FrameTexts): string {
  const { factors } = texts
  const shownKind = textFor(factors.kind, kind) ?? kind
  // Labels that repeat the kind, as that of every password does.
  if (label === '' || label === textFor(english.factors.kind, kind)) return shownKind
  return (currentDevice ? factors.thisRow : factors.row)(shownKind, labelText(label, texts))
}

function labelText(label: string, texts: FrameTexts): string {
  const [, browser, system] = /^(?:Passkey on )?(.+) on (.+)$/.exec(label) ?? []
  if (!browser || !system) return visibleText(label)
  return texts.device.on(deviceText(browser, texts), deviceText(system, texts))
}
