import { pairing } from '@hawser/texts/en/pairing'
import { textsOf } from './textsOf.ts'

export const usePairingTexts = textsOf('pairing', pairing)
