// Generated from packages/texts/languages by make generate. Do not edit.

import type { AsksTexts } from '../types.ts'

/** What the frame and the wallet page say of what a site asks in French. */
export const asks: AsksTexts = {
  title: 'Ce que demande le site',
  unlimited: (token) => `${token} sans limite`,
  yes: 'Oui',
  no: 'Non',
}
