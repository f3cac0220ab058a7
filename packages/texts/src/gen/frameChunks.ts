// Generated from packages/texts/languages by make generate. Do not edit.

import type { FrameTexts } from '../frame/texts.ts'
import type { LanguageTag } from './languages.ts'

/** Loads the texts of the frame in a language. */
export const frameChunks: Readonly<Record<LanguageTag, () => Promise<{ readonly texts: FrameTexts }>>> = {
  'ar': () => import('./ar/frame.ts'),
  'de': () => import('./de/frame.ts'),
  'es': () => import('./es/frame.ts'),
  'fr': () => import('./fr/frame.ts'),
  'it': () => import('./it/frame.ts'),
  'ja': () => import('./ja/frame.ts'),
  'ko': () => import('./ko/frame.ts'),
  'pt-BR': () => import('./pt-BR/frame.ts'),
  'tr': () => import('./tr/frame.ts'),
  'zh-CN': () => import('./zh-CN/frame.ts'),
}
