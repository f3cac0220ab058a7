// Generated from packages/texts/languages by make generate. Do not edit.

import type { FrameTexts } from '../frame/texts.ts'

/** The tags of the languages other than English. */
export type LanguageTag = 'ar' | 'de' | 'es' | 'fr' | 'ja' | 'ko' | 'pt-BR' | 'tr' | 'zh-CN'

/** A language by its tag: `de`. `auto` is the first of the visitor’s languages that is supported, else that of the page, else English. */
export type LocaleName = 'ar' | 'de' | 'es' | 'fr' | 'ja' | 'ko' | 'pt-BR' | 'tr' | 'zh-CN' | 'en' | 'auto'

/** The tags of the languages that are written from right to left. */
export const rightToLeft: readonly string[] = ['ar']

/** Loads the texts of the frame in a language. */
export const frameChunks: Readonly<Record<LanguageTag, () => Promise<{ readonly texts: FrameTexts }>>> = {
  'ar': () => import('./ar/frame.ts'),
  'de': () => import('./de/frame.ts'),
  'es': () => import('./es/frame.ts'),
  'fr': () => import('./fr/frame.ts'),
  'ja': () => import('./ja/frame.ts'),
  'ko': () => import('./ko/frame.ts'),
  'pt-BR': () => import('./pt-BR/frame.ts'),
  'tr': () => import('./tr/frame.ts'),
  'zh-CN': () => import('./zh-CN/frame.ts'),
}
