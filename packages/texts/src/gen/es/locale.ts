// Generated from packages/texts/languages by make generate. Do not edit.

import { defineLocale } from '../../modal/defineLocale.ts'

/** Spanish. */
export const es = defineLocale(
  { tag: 'es', direction: 'ltr', buttons: { connect: 'Conectar wallet', connecting: 'Conectando…', account: 'Cuenta', selectNetwork: 'Elegir red', switchNetwork: 'Cambiar de red' } },
  () => import('./modal.ts'),
)
