import type { CausedReason, PhrasedWarning } from '../preview/warningTexts.ts'
import type { Catalogue } from './messages.ts'
import type { Feature } from './translated.ts'

/**
 * Texts of the modal in a language, without their exact types. Those are in `Texts`, whose types import the
 * catalogues.
 */
export interface AnyTexts extends Readonly<Record<Feature, unknown>> {
  /** Translates a toast or an error of core, which are in English; other texts are returned as they are. */
  readonly message: (english: string, catalogue: Catalogue) => string
  /** Translates a warning of the gateway; English when its sentence is not known. */
  readonly warning: (warning: PhrasedWarning) => string
  /** Translates why a request would fail; English when its cause is not known. */
  readonly reason: (preview: CausedReason) => string
}
