import { type Preview, type PreviewWarning, SEND_LABELS, thrown, toasts, walletTexts } from '@hawser/core'
import type { Catalogue } from './messages.ts'
import { useShownLocale } from './shownLocale.ts'
import type { Feature, Translated } from './translated.ts'

const catalogue = { toasts, walletTexts, sendLabels: SEND_LABELS, thrown }

/** Texts of the modal in a language, without their shapes, which `Texts` has: its types import the catalogues. */
export interface AnyTexts extends Readonly<Record<Feature, unknown>> {
  /** Translates a toast or an error of core, which are in English; other texts are returned as they are. */
  readonly message: (english: string, catalogue: Catalogue) => string
  /** Says a warning of the gateway; in English when its sentence is not known. */
  readonly warning: (warning: PreviewWarning) => string
  /** Says why a request would fail; in English when its cause is not known. */
  readonly reason: (preview: Pick<Preview, 'reason' | 'cause'>) => string
}

/** The texts of the language that is shown; undefined for English. */
function useShownTexts(): AnyTexts | undefined {
  return useShownLocale()?.texts as AnyTexts | undefined
}

/** Makes the hook that returns the texts of a feature in the language that is shown. The English ones are built in. */
export function textsOf<English>(feature: Feature, english: English): () => Translated<English> {
  return () => (useShownTexts()?.[feature] ?? english) as Translated<English>
}

/** Returns a function that says a warning of the gateway in the language that is shown. */
export function useWarnings(): (warning: PreviewWarning) => string {
  const texts = useShownTexts()
  return (warning) => texts?.warning(warning) ?? warning.text
}

/** Returns a function that says in the language that is shown why a request would fail. */
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
