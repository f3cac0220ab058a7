import type { ModalFeatures } from '../gen/types.ts'
import type { CausedReason, PhrasedWarning } from '../preview/warningTexts.ts'
import type { Catalogue } from './messages.ts'

/** The parts of the modal whose texts are loaded with their code. */
export type Feature = keyof ModalFeatures

/** All texts of the modal in one language, by feature. */
export interface Texts extends ModalFeatures {
  /** Translates a toast or an error of core, which are in English; other texts are returned as they are. */
  readonly message: (english: string, catalogue: Catalogue) => string
  /** Translates a warning of the gateway; English when its sentence is not known. */
  readonly warning: (warning: PhrasedWarning) => string
  /** Translates why a request would fail; English when its cause is not known. */
  readonly reason: (preview: CausedReason) => string
}
