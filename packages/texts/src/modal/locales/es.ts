import { defineLocale } from '../defineLocale.ts'

/** Spanish. */
export const es = defineLocale(
  {
    tag: 'es',
    direction: 'ltr',
    buttons: {
      connect: 'Conectar wallet',
      connecting: 'Conectando…',
      account: 'Cuenta',
      selectNetwork: 'Elegir red',
      switchNetwork: 'Cambiar de red',
    },
  },
  () => import('./texts/es.ts'),
)
