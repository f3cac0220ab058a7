// Generated from packages/texts/languages by make generate. Do not edit.

import type { WarningTexts } from '../preview/warningTexts.ts'
import type { HandoffTexts } from './types.ts'

/** The tags of the languages other than English. */
export const languageTags = ['ar', 'de', 'es', 'fr', 'it', 'ja', 'ko', 'pt-BR', 'tr', 'zh-CN'] as const

/** A language other than English, by its tag. */
export type LanguageTag = (typeof languageTags)[number]

/** A language by its tag: `de`. `auto` is the first of the visitor’s languages that is supported, else that of the page, else English. */
export type LocaleName = LanguageTag | 'en' | 'auto'

/** The tags of the languages that are written from right to left. */
export const rightToLeft: readonly string[] = ['ar']

/** Loads the texts of the wallet page in a language. */
export const handoffChunks: Readonly<Record<LanguageTag, () => Promise<{ readonly texts: HandoffTexts }>>> = {
  'ar': () => import('./ar/handoff.ts'),
  'de': () => import('./de/handoff.ts'),
  'es': () => import('./es/handoff.ts'),
  'fr': () => import('./fr/handoff.ts'),
  'it': () => import('./it/handoff.ts'),
  'ja': () => import('./ja/handoff.ts'),
  'ko': () => import('./ko/handoff.ts'),
  'pt-BR': () => import('./pt-BR/handoff.ts'),
  'tr': () => import('./tr/handoff.ts'),
  'zh-CN': () => import('./zh-CN/handoff.ts'),
}

/** Loads what the warnings and reasons of a preview say in a language. */
export const previewChunks: Readonly<Record<LanguageTag, () => Promise<{ readonly warnings: WarningTexts }>>> = {
  'ar': () => import('./ar/preview.ts'),
  'de': () => import('./de/preview.ts'),
  'es': () => import('./es/preview.ts'),
  'fr': () => import('./fr/preview.ts'),
  'it': () => import('./it/preview.ts'),
  'ja': () => import('./ja/preview.ts'),
  'ko': () => import('./ko/preview.ts'),
  'pt-BR': () => import('./pt-BR/preview.ts'),
  'tr': () => import('./tr/preview.ts'),
  'zh-CN': () => import('./zh-CN/preview.ts'),
}
