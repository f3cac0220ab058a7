// Generated from packages/texts/languages by make generate. Do not edit.

import type { AsksTexts } from '../types.ts'

/** What the frame and the wallet page say of what a site asks in Spanish. */
export const asks: AsksTexts = {
  title: 'Lo que pide el sitio',
  unlimited: (token) => `${token} sin límite`,
  yes: 'Sí',
  no: 'No',
}
