import { ownNames } from '@hawser/texts/en/ownNames'
import { textsOf } from './textsOf.ts'

export const useOwnNamesTexts = textsOf('ownNames', ownNames)
