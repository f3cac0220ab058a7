import type { Preview, PreviewWarning } from '@hawser/core'
import { sendLabels } from '@hawser/texts/en/sendLabels'
import { thrown } from '@hawser/texts/en/thrown'
import { toasts } from '@hawser/texts/en/toasts'
import { walletTexts } from '@hawser/texts/en/walletTexts'
import { type Message, translated } from '@hawser/texts/message'
import type { Feature, Texts } from '@hawser/texts/modal/texts'
import { exactDecimal } from '@hawser/ui'
import { useShownLocale } from './shownLocale.ts'

const englishCore = { sendLabels, thrown, toasts, walletTexts }

/** The texts of core that views show without an outcome. */
export type CoreTexts = Pick<Texts['core'], keyof typeof englishCore>

/** Returns the texts of the language that is shown; undefined for English. */
function useShownTexts(): Texts | undefined {
  return useShownLocale()?.texts as Texts | undefined
}

/**
 * Creates the hook that returns the texts of a feature in the language that is shown. The English ones are
 * built in.
 */
export function textsOf<Name extends Feature>(feature: Name, english: Texts[Name]): () => Texts[Name] {
  return () => useShownTexts()?.[feature] ?? english
}

/** Returns the texts of core in the language that is shown. */
export function useCoreTexts(): CoreTexts {
  return useShownTexts()?.core ?? englishCore
}

/** Returns a function that translates a warning of the gateway into the language that is shown. */
export function useWarnings(): (warning: PreviewWarning) => string {
  const texts = useShownTexts()
  return (warning) => texts?.warning(warning) ?? warning.text
}

/** Returns a function that translates why a request would fail into the language that is shown. */
export function useReasons(): (preview: Pick<Preview, 'reason' | 'reasonKey' | 'cause'>) => string {
  const texts = useShownTexts()
  const messages = useMessages()
  return ({ reason, reasonKey, cause }) =>
    reasonKey ? messages({ message: reason, key: reasonKey }) : (texts?.reason({ reason, cause }) ?? reason)
}

/** Returns a function that translates what core reports or throws for display. */
export function useMessages(): (message: Message) => string {
  const texts = useShownTexts()
  const tag = useShownLocale()?.tag
  return (message) =>
    texts ? translated(message, texts.core, (decimal) => exactDecimal(decimal, tag)) : message.message
}
