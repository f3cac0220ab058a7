// Generated from packages/texts/languages by make generate. Do not edit.

import { defineLocale } from '../../modal/defineLocale.ts'

/** Dutch. */
export const nl = defineLocale(
  { tag: 'nl', direction: 'ltr', buttons: { connect: 'Wallet verbinden', connecting: 'Verbinde …', account: 'Konto', selectNetwork: 'Netzwerk wählen', switchNetwork: 'Netzwerk wechseln' } },
  () => import('./modal.ts'),
)
