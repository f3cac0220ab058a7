import { newReceiver, openContact, type SentTransaction } from '@hawser/core'
import { Button, ContactsIcon } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useReceiverTexts } from '../../locale/useReceiverTexts.ts'
import { useContacts } from '../contacts/useContacts.ts'

/** Offers to save the receiver of a transfer as a contact, unless the account sent to it before. */
export function SaveReceiver({ sent }: { sent: SentTransaction }) {
  const texts = useReceiverTexts()
  const hawser = useHawser()
  useContacts()
  const contact = newReceiver(hawser, sent)
  if (!contact) return null
  return (
    <Button
      wide
      icon={<ContactsIcon size={18} />}
      data-testid="transaction-save-contact"
      onClick={() => openContact(hawser, contact)}
    >
      {texts.saveContact}
    </Button>
  )
}
