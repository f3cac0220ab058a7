import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { english } from './english.ts'
import type { Texts } from './texts.ts'

/** The language that the page is shown in. */
export const LanguageContext = createContext(english)

/** The texts in the language that the page is shown in. */
export function useTexts(): Texts {
  return useContext(LanguageContext).texts
}

/** The tag of the language that the page is shown in, for Intl. */
export function useTag(): string {
  return useContext(LanguageContext).tag
}
