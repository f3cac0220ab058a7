// Generated from packages/texts/languages by make generate. Do not edit.

import { ar } from './ar/locale.ts'
import { de } from './de/locale.ts'
import { es } from './es/locale.ts'
import { fr } from './fr/locale.ts'
import { it } from './it/locale.ts'
import { ja } from './ja/locale.ts'
import { ko } from './ko/locale.ts'
import { ptBR } from './pt-BR/locale.ts'
import { tr } from './tr/locale.ts'
import { zhCN } from './zh-CN/locale.ts'
import type { Locale } from '../modal/locale.ts'

/** The languages of the modal other than English, which is built in. */
export const locales: readonly Locale[] = [ar, de, es, fr, it, ja, ko, ptBR, tr, zhCN]
