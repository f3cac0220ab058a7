import { defineLocale } from '../defineLocale.ts'

/** Turkish. */
export const tr = defineLocale(
  {
    tag: 'tr',
    direction: 'ltr',
    buttons: {
      connect: 'Cüzdan bağla',
      connecting: 'Bağlanıyor…',
      account: 'Hesap',
      selectNetwork: 'Ağ seç',
      switchNetwork: 'Ağ değiştir',
    },
  },
  () => import('./texts/tr.ts'),
)
