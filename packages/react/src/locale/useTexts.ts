import { base } from '@hawser/texts/en/base'
import { textsOf } from './textsOf.ts'

export const useTexts = textsOf('base', base)
