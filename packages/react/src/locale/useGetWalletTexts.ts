import { getWallet } from '@hawser/texts/en/getWallet'
import { textsOf } from './textsOf.ts'

export const useGetWalletTexts = textsOf('getWallet', getWallet)
