// Generated from packages/texts/languages by make generate. Do not edit.

import { defineLocale } from '../../modal/defineLocale.ts'

/** Arabic, written from right to left. */
export const ar = defineLocale(
  { tag: 'ar', direction: 'rtl', buttons: { connect: 'ربط المحفظة', connecting: 'جارٍ الربط…', account: 'الحساب', selectNetwork: 'اختيار شبكة', switchNetwork: 'تبديل الشبكة' } },
  () => import('./modal.ts'),
)
