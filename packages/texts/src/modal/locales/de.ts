import { defineLocale } from '../defineLocale.ts'

/** German. */
export const de = defineLocale(
  {
    tag: 'de',
    direction: 'ltr',
    buttons: {
      connect: 'Wallet verbinden',
      connecting: 'Verbinde …',
      account: 'Konto',
      selectNetwork: 'Netzwerk wählen',
      switchNetwork: 'Netzwerk wechseln',
    },
  },
  () => import('./texts/de.ts'),
)
