import type { ButtonTexts } from '@hawser/core'
import { useShownLocale } from './shownLocale.ts'

const english: ButtonTexts = {
  connect: 'Connect wallet',
  connecting: 'Connecting...',
  account: 'Account',
  selectNetwork: 'Select network',
  switchNetwork: 'Switch network',
}

/** Returns the texts of the buttons in the language that is shown. */
export function useButtonTexts(): ButtonTexts {
  return useShownLocale()?.buttons ?? english
}
