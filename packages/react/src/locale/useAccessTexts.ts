import { access } from '@hawser/texts/en/access'
import { textsOf } from './textsOf.ts'

export const useAccessTexts = textsOf('access', access)
