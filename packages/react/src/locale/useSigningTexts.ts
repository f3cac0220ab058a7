import { signing } from '@hawser/texts/en/signing'
import { textsOf } from './textsOf.ts'

export const useSigningTexts = textsOf('signing', signing)
