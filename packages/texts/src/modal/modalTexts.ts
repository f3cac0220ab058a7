import { isolateValues } from '../format/isolateValues.ts'
import type { CoreCatalogues, ModalFeatures } from '../gen/types.ts'
import { reasonText, type WarningTexts, warningText } from '../preview/warningTexts.ts'
import type { Texts } from './texts.ts'

/** What a language has for the modal. */
interface LanguageTexts extends ModalFeatures {
  readonly core: CoreCatalogues
  readonly warnings: WarningTexts
}

/** Returns the texts of the modal in a language. Values are isolated from sentences that run from right to left. */
export function modalTexts(direction: 'ltr' | 'rtl', { core, warnings, ...features }: LanguageTexts): Texts {
  const isolated = <Catalogue>(catalogue: Catalogue) =>
    direction === 'rtl' ? isolateValues(catalogue, direction) : catalogue
  return {
    ...isolated<ModalFeatures>(features),
    core: isolated(core),
    warning: (warning) => warningText(warning, warnings),
    reason: (preview) => reasonText(preview, warnings),
  }
}
