import { loginTitles } from '@hawser/texts/en/loginTitles'
import { textsOf } from './textsOf.ts'

export const useLoginTitles = textsOf('loginTitles', loginTitles)
