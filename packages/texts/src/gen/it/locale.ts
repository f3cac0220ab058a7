// Generated from packages/texts/languages by make generate. Do not edit.

import { defineLocale } from '../../modal/defineLocale.ts'

/** Italian. */
export const it = defineLocale(
  { tag: 'it', direction: 'ltr', buttons: { connect: 'Collega wallet', connecting: 'Connessione…', account: 'Account', selectNetwork: 'Scegli rete', switchNetwork: 'Cambia rete' } },
  () => import('./modal.ts'),
)
