import { otherChains } from '@hawser/texts/en/otherChains'
import { textsOf } from './textsOf.ts'

export const useOtherChainsTexts = textsOf('otherChains', otherChains)
