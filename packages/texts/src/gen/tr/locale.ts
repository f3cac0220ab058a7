// Generated from packages/texts/languages by make generate. Do not edit.

import { defineLocale } from '../../modal/defineLocale.ts'

/** Turkish. */
export const tr = defineLocale(
  { tag: 'tr', direction: 'ltr', buttons: { connect: 'Cüzdan bağla', connecting: 'Bağlanıyor…', account: 'Hesap', selectNetwork: 'Ağ seç', switchNetwork: 'Ağ değiştir' } },
  () => import('./modal.ts'),
)
