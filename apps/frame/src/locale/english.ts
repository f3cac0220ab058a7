import { en } from './en.ts'
import { languageOf } from './language.ts'

/** English, which is there without a download. */
export const english = languageOf('en', en)
