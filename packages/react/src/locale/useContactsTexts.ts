import { contacts } from '@hawser/texts/en/contacts'
import { textsOf } from './textsOf.ts'

export const useContactsTexts = textsOf('contacts', contacts)
