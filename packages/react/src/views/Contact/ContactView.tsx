import {
  addContact,
  addressKind,
  type Contact,
  type ContactRefusal,
  contactDoubt,
  findContact,
  goBack,
  renameContact,
} from '@hawser/core'
import { Button, TextField } from '@hawser/ui'
import { type FormEvent, useRef, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useContactsTexts } from '../../locale/useContactsTexts.ts'
import { useContacts } from '../../parts/contacts/useContacts.ts'
import { ReceiverDoubt } from '../../parts/doubt/ReceiverDoubt.tsx'
import { RemoveContact } from './RemoveContact.tsx'

/** The form of a contact: a new one, or one that is stored, whose address stays. */
export function ContactView() {
  const texts = useContactsTexts()
  const hawser = useHawser()
  const given = useHawserState(hawser.router, ({ data }) => data?.contact)
  const contacts = useContacts()
  const stored = given && findContact(contacts, given.namespace, given.address)
  const [name, setName] = useState(given?.name ?? '')
  const [address, setAddress] = useState(given?.address ?? '')
  const [refusal, setRefusal] = useState<ContactRefusal>()
  /** The address that the visitor chose although it looks like another one. */
  const [chosen, setChosen] = useState(given?.address)
  const field = useRef<HTMLInputElement>(null)
  const namespace = given?.namespace ?? addressKind(address)
  const doubt = namespace && address !== chosen ? contactDoubt(hawser, { namespace, address }) : undefined

  const addressError = refusal && refusal !== 'name' ? texts.refusals[refusal] : undefined

  async function save(event: FormEvent) {
    event.preventDefault()
    if (doubt) return
    const why = stored ? renameContact(hawser, stored, name) : await add()
    setRefusal(why)
    if (why === undefined) goBack(hawser)
  }

  async function add(): Promise<ContactRefusal | undefined> {
    return namespace ? addContact(hawser, { namespace, address, name }) : 'address'
  }

  function type(text: string) {
    setAddress(text.trim())
    setRefusal(undefined)
  }

  function choose(known: string) {
    type(known)
    setChosen(known)
    field.current?.focus()
  }
  return (
    <form className="hw-stack" onSubmit={(event) => void save(event)} noValidate>
      <TextField
        label={texts.name}
        labelStyle="above"
        value={name}
        autoCapitalize="words"
        dir="auto"
        error={refusal === 'name' ? texts.refusals.name : undefined}
        data-testid="contact-name"
        onChange={(event) => {
          setName(event.target.value)
          setRefusal(undefined)
        }}
      />
      {given ? (
        <div className="hw-field">
          <span className="hw-field-label">{texts.address}</span>
          <bdi className="hw-mono hw-contact-address" dir="ltr" data-testid="contact-address">
            {address}
          </bdi>
          {addressError && <p className="hw-field-error">{addressError}</p>}
        </div>
      ) : (
        <TextField
          label={texts.address}
          labelStyle="above"
          inputRef={field}
          value={address}
          dir="ltr"
          error={addressError}
          data-testid="contact-address"
          onChange={(event) => type(event.target.value)}
        />
      )}
      {doubt && (
        <ReceiverDoubt
          doubt={doubt}
          receiver={address}
          onUseKnown={choose}
          onUseNew={() => choose(address)}
        />
      )}
      <Button type="submit" variant="primary" wide disabled={doubt !== undefined} data-testid="contact-save">
        {texts.save}
      </Button>
      {stored && <RemoveContact contact={stored as Contact} />}
    </form>
  )
}
