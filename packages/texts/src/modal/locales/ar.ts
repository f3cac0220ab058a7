import { defineLocale } from '../defineLocale.ts'

/** Arabic, written from right to left. */
export const ar = defineLocale(
  {
    tag: 'ar',
    direction: 'rtl',
    buttons: {
      connect: 'ربط المحفظة',
      connecting: 'جارٍ الربط…',
      account: 'الحساب',
      selectNetwork: 'اختيار شبكة',
      switchNetwork: 'تبديل الشبكة',
    },
  },
  () => import('./texts/ar.ts'),
)
