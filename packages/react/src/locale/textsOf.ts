import { type Preview, type PreviewWarning, thrown, toasts, walletTexts } from '@hawser/core'
import { loginErrors } from '@hawser/texts/en/loginErrors'
import { refusals } from '@hawser/texts/en/refusals'
import { sendLabels } from '@hawser/texts/en/sendLabels'
import type { Feature, Texts } from '@hawser/texts/modal/texts'
import { exactDecimal } from '@hawser/ui'
import { useShownLocale } from './shownLocale.ts'

const catalogue = { toasts, walletTexts, sendLabels, thrown, loginErrors, refusals, exactDecimal }

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

/** Returns a function that translates a warning of the gateway into the language that is shown. */
export function useWarnings(): (warning: PreviewWarning) => string {
  const texts = useShownTexts()
  return (warning) => texts?.warning(warning) ?? warning.text
}

/** Returns a function that translates why a request would fail into the language that is shown. */
export function useReasons(): (preview: Pick<Preview, 'reason' | 'cause'>) => string {
  const texts = useShownTexts()
  return ({ reason, cause }) => {
    if (!texts) return reason
    return cause ? texts.reason({ reason, cause }) : texts.message(reason, catalogue)
  }
}

/** Returns a function that translates a toast or an error of core for display; other texts are returned as they are. */
export function useMessages(): (english: string) => string {
  const texts = useShownTexts()
  return (english) => texts?.message(english, catalogue) ?? english
}
