import { swap } from '@hawser/texts/en/swap'
import { textsOf } from './textsOf.ts'

export const useSwapTexts = textsOf('swap', swap)
