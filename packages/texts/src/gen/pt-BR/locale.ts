// Generated from packages/texts/languages by make generate. Do not edit.

import { defineLocale } from '../../modal/defineLocale.ts'

/** Brazilian Portuguese. */
export const ptBR = defineLocale(
  { tag: 'pt-BR', direction: 'ltr', buttons: { connect: 'Conectar carteira', connecting: 'Conectando…', account: 'Conta', selectNetwork: 'Escolher rede', switchNetwork: 'Trocar de rede' } },
  () => import('./modal.ts'),
)
