import type { CoreCatalogues, ModalFeatures } from '../gen/types.ts'
import type { CausedReason, PhrasedWarning } from '../preview/warningTexts.ts'

/** The parts of the modal whose texts are loaded with their code. */
export type Feature = keyof ModalFeatures

/** All texts of the modal in one language, by feature. */
export interface Texts extends ModalFeatures {
  /** What core reports and throws. */
  readonly core: CoreCatalogues
  /** Translates a warning of the gateway; English when its sentence is not known. */
  readonly warning: (warning: PhrasedWarning) => string
  /** Translates why a request would fail; English when its cause is not known. */
  readonly reason: (preview: CausedReason) => string
}
