// Generated from packages/texts/languages by make generate. Do not edit.

import type { AsksTexts } from '../types.ts'

/** What the frame and the wallet page say of what a site asks in Turkish. */
export const asks: AsksTexts = {
  title: 'Sitenin istediği',
  unlimited: (token) => `sınırsız ${token}`,
  yes: 'Evet',
  no: 'Hayır',
}
