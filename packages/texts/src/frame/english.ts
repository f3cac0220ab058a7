import { frame } from '../gen/en/frame.ts'
import { preview } from '../gen/en/preview.ts'
import { languageOf } from './language.ts'

/** English, which is built in. */
export const english = languageOf('en', { ...frame, warnings: preview })
