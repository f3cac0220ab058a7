// Generated from packages/texts/languages by make generate. Do not edit.

import { defineLocale } from '../../modal/defineLocale.ts'

/** French. */
export const fr = defineLocale(
  { tag: 'fr', direction: 'ltr', buttons: { connect: 'Connecter un wallet', connecting: 'Connexion…', account: 'Compte', selectNetwork: 'Choisir un réseau', switchNetwork: 'Changer de réseau' } },
  () => import('./modal.ts'),
)
