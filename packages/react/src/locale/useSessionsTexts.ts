import { sessions } from '@hawser/texts/en/sessions'
import { textsOf } from './textsOf.ts'

export const useSessionsTexts = textsOf('sessions', sessions)
