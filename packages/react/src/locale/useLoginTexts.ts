import { login } from '@hawser/texts/en/login'
import { textsOf } from './textsOf.ts'

export const useLoginTexts = textsOf('login', login)
