// Generated from packages/texts/languages by make generate. Do not edit.

import type { LanguageTag } from './languages.ts'
import type { AsksTexts } from './types.ts'

/** Loads what is said of what a site asks in a language. */
export const asksChunks: Readonly<Record<LanguageTag, () => Promise<{ readonly asks: AsksTexts }>>> = {
  'ar': () => import('./ar/asks.ts'),
  'de': () => import('./de/asks.ts'),
  'es': () => import('./es/asks.ts'),
  'fr': () => import('./fr/asks.ts'),
  'it': () => import('./it/asks.ts'),
  'ja': () => import('./ja/asks.ts'),
  'ko': () => import('./ko/asks.ts'),
  'pt-BR': () => import('./pt-BR/asks.ts'),
  'tr': () => import('./tr/asks.ts'),
  'zh-CN': () => import('./zh-CN/asks.ts'),
}
