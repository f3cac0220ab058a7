import { type Preview, type PreviewWarning, SEND_LABELS, thrown, toasts, walletTexts } from '@hawser/core'
import type { Catalogue } from './messages.ts'
import { useShownLocale } from './shownLocale.ts'
import type { Feature, Translated } from './translated.ts'

const catalogue = { toasts, walletTexts, sendLabels: SEND_LABELS, thrown }

/**
 * Texts of the modal in a language, without their exact types. Those are in `Texts`, whose types import the
 * catalogues.
 */
export interface AnyTexts extends Readonly<Record<Feature, unknown>> {
  /** Translates a toast or an error of core, which are in English; other texts are returned as they are. */
  readonly message: (english: string, catalogue: Catalogue) => string
  /** Translates a warning of the gateway; English when its sentence is not known. */
  readonly warning: (warning: PreviewWarning) => string
  /** Translates why a request would fail; English when its cause is not known. */
  readonly reason: (preview: Pick<Preview, 'reason' | 'cause'>) => string
}

/** Returns the texts of the language that is shown; undefined for English. */
function useShownTexts(): AnyTexts | undefined {
  return useShownLocale()?.texts as AnyTexts | undefined
}

/**
 * Creates the hook that returns the texts of a feature in the language that is shown. The English ones are
 * built in.
 */
export function textsOf<English>(feature: Feature, english: English): () => Translated<English> {
  return () => (useShownTexts()?.[feature] ?? english) as Translated<English>
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
