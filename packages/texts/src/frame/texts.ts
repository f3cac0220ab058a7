import type { FrameCatalogue } from '../gen/types.ts'
import type { SomeWarningTexts } from '../preview/warningTexts.ts'

/** The texts of the frame in one language. */
export interface FrameTexts extends FrameCatalogue {
  /** What the warnings of previews say; those that are absent are in the English of the service. */
  readonly warnings?: SomeWarningTexts
}
