import { buy } from '@hawser/texts/en/buy'
import { textsOf } from './textsOf.ts'

export const useBuyTexts = textsOf('buy', buy)
