import { names } from '@hawser/texts/en/names'
import { textsOf } from './textsOf.ts'

export const useNamesTexts = textsOf('names', names)
