import type { ButtonTexts } from '@hawser/core'
import { buttons } from '@hawser/texts/en/buttons'
import { useShownLocale } from './shownLocale.ts'

/** Returns the texts of the buttons in the language that is shown. */
export function useButtonTexts(): ButtonTexts {
  return useShownLocale()?.buttons ?? buttons
}
