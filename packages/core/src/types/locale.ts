export type { LocaleName } from '@hawser/texts/languages'
export type { ButtonTexts, Locale } from '@hawser/texts/modal/locale'
