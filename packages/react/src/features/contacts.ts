import './account.ts'

export { ContactView } from '../views/Contact/ContactView.tsx'
export { ContactsView } from '../views/Contacts/ContactsView.tsx'
