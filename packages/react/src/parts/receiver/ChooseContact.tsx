import { openContacts } from '@hawser/core'
import { Button, ContactsIcon } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useReceiverTexts } from '../../locale/useReceiverTexts.ts'

/** Opens the contacts, to choose the receiver. */
export function ChooseContact() {
  const texts = useReceiverTexts()
  const hawser = useHawser()
  return (
    <Button
      size="small"
      variant="quiet"
      icon={<ContactsIcon size={16} />}
      className="hw-paste"
      data-testid="send-contacts"
      onClick={() => openContacts(hawser)}
    >
      {texts.contacts}
    </Button>
  )
}
