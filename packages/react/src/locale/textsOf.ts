import { SEND_LABELS, thrown, toasts, walletTexts } from '@hawser/core'
import { useShownLocale } from './shownLocale.ts'
import type { Texts } from './texts.ts'

const catalogue = { toasts, walletTexts, sendLabels: SEND_LABELS, thrown }

/** The texts of the language that is shown; undefined for English. */
function useShownTexts(): Texts | undefined {
  return useShownLocale()?.texts as Texts | undefined
}

/** Makes the hook that returns the texts of a feature in the language that is shown. The English ones are built in. */
export function textsOf<Feature extends Exclude<keyof Texts, 'message'>>(
  feature: Feature,
  english: Texts[Feature],
): () => Texts[Feature] {
  return () => useShownTexts()?.[feature] ?? english
}

/** Returns what translates a toast or an error of core for display; other texts are returned as they are. */
export function useMessages(): (english: string) => string {
  const texts = useShownTexts()
  return (english) => texts?.message(english, catalogue) ?? english
}
