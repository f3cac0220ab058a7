import { pushView } from '../router/navigate.ts'
import type { Contact } from '../types/contacts.ts'
import type { Hawser } from '../types/hawser.ts'

/** Shows the contacts. The data of the views before stays, which the way back needs. */
export function openContacts(hawser: Hawser): void {
  pushView(hawser, 'Contacts', hawser.router.getState().data)
}

/** Shows the form of a contact, or that of a new one. */
export function openContact(hawser: Hawser, contact?: Contact): void {
  const { contact: _, ...data } = hawser.router.getState().data ?? {}
  pushView(hawser, 'Contact', contact ? { ...data, contact } : data)
}
