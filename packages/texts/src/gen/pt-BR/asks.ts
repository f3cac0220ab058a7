// Generated from packages/texts/languages by make generate. Do not edit.

import type { AsksTexts } from '../types.ts'

/** What the frame and the wallet page say of what a site asks in Brazilian Portuguese. */
export const asks: AsksTexts = {
  title: 'O que o site pede',
  unlimited: (token) => `${token} sem limite`,
  yes: 'Sim',
  no: 'Não',
}
