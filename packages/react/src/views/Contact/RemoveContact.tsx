import { type Contact, goBack, removeContact } from '@hawser/core'
import { Button } from '@hawser/ui'
import { useEffect, useId, useRef, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useContactsTexts } from '../../locale/useContactsTexts.ts'

/** Deletes a contact, once the visitor confirms it. */
export function RemoveContact({ contact }: { contact: Contact }) {
  const texts = useContactsTexts()
  const hawser = useHawser()
  const [isAsking, setAsking] = useState(false)
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const wasAsking = useRef(false)
  // The pressed button disappears; the focus goes to what is there instead.
  useEffect(() => {
    if (isAsking !== wasAsking.current) box.current?.querySelector('button')?.focus()
    wasAsking.current = isAsking
  }, [isAsking])

  function remove() {
    removeContact(hawser, contact)
    goBack(hawser)
  }
  if (!isAsking) {
    return (
      <div ref={box}>
        <Button variant="quiet" wide data-testid="contact-remove" onClick={() => setAsking(true)}>
          {texts.remove}
        </Button>
      </div>
    )
  }
  return (
    <div ref={box} className="hw-stack">
      <p id={id} className="hw-note" role="status">
        {texts.removeQuestion(`\u2068${contact.name}\u2069`)}
      </p>
      <div className="hw-pair">
        <Button data-testid="contact-keep" onClick={() => setAsking(false)}>
          {texts.keep}
        </Button>
        <Button variant="danger" aria-describedby={id} data-testid="contact-remove-confirm" onClick={remove}>
          {texts.confirm}
        </Button>
      </div>
    </div>
  )
}
