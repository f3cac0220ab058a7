import { receiver } from '@hawser/texts/en/receiver'
import { textsOf } from './textsOf.ts'

export const useReceiverTexts = textsOf('receiver', receiver)
