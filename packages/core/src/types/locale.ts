export type { ButtonTexts, Locale, LocaleName } from '@hawser/texts/modal/locale'
