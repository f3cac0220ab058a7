// Generated from packages/texts/languages by make generate. Do not edit.

import type { AsksTexts } from '../types.ts'

/** What the frame and the wallet page say of what a site asks in German. */
export const asks: AsksTexts = {
  title: 'Was die Website verlangt',
  unlimited: (token) => `unbegrenzt ${token}`,
  yes: 'Ja',
  no: 'Nein',
}
