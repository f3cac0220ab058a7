import { receiverCheck } from '@hawser/texts/en/receiverCheck'
import { textsOf } from './textsOf.ts'

export const useReceiverCheckTexts = textsOf('receiverCheck', receiverCheck)
