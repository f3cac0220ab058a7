import { en } from './en.ts'
import { languageOf } from './language.ts'

/** English, which is built in. */
export const english = languageOf('en', en)
