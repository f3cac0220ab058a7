// Generated from packages/texts/languages by make generate. Do not edit.

import type { AsksTexts } from '../types.ts'

/** What the frame and the wallet page say of what a site asks in Italian. */
export const asks: AsksTexts = {
  title: 'Cosa chiede il sito',
  unlimited: (token) => `${token} illimitati`,
  yes: 'Sì',
  no: 'No',
}
