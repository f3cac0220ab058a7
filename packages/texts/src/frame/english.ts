import { en } from './en.ts'
import { languageOf } from './language.ts'
import { warnings } from './plainWarnings.ts'

/** English, which is built in. */
export const english = languageOf('en', { ...en, warnings })
