import {
  type Contact,
  goBack,
  openContact,
  type RouterState,
  searchContacts,
  setReceiver,
  shortenAddress,
} from '@hawser/core'
import {
  Avatar,
  Button,
  ChevronRightIcon,
  ContactsIcon,
  EmptyState,
  List,
  ListItem,
  PlusIcon,
  SearchIcon,
} from '@hawser/ui'
import { useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useContactsTexts } from '../../locale/useContactsTexts.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { useContacts } from '../../parts/contacts/useContacts.ts'
import { SearchField } from '../../parts/search/SearchField.tsx'
import { ContactsFile } from './ContactsFile.tsx'
import { WalletContacts } from './WalletContacts.tsx'

/** The contacts, with a search. From a form that sends, those of its namespace, to choose the receiver. */
export function ContactsView() {
  const texts = useContactsTexts()
  const hawser = useHawser()
  const isChoosing = useHawserState(hawser.router, isOpenedToSend)
  const namespace = useHawserState(hawser.chain, ({ activeChain }) => activeChain)
  const contacts = useContacts().filter((contact) => !isChoosing || contact.namespace === namespace)
  const isInWallet = useHawserState(hawser.contacts, ({ wallet }) => wallet === 'shared')
  const [query, setQuery] = useState('')
  const found = searchContacts(contacts, query)

  function select(contact: Contact) {
    if (!isChoosing) return openContact(hawser, contact)
    void setReceiver(hawser, contact.address)
    goBack(hawser)
  }
  return (
    <div className="hw-stack">
      {contacts.length === 0 ? (
        <EmptyState icon={<ContactsIcon size={26} />} title={texts.empty.title} data-testid="contacts-empty">
          {isInWallet ? texts.wallet.empty : texts.empty.text}
        </EmptyState>
      ) : (
        <>
          <SearchField label={texts.search} value={query} data-testid="contacts-search" onChange={setQuery} />
          {found.length > 0 ? (
            <List label={texts.list} appearance="plain">
              {found.map((contact) => (
                <ContactRow
                  key={contact.namespace + contact.address}
                  contact={contact}
                  isChoosing={isChoosing}
                  onSelect={() => select(contact)}
                />
              ))}
            </List>
          ) : (
            <EmptyState icon={<SearchIcon size={26} />} title={texts.nobody} />
          )}
        </>
      )}
      <Button
        variant="primary"
        wide
        icon={<PlusIcon size={18} />}
        data-testid="contacts-add"
        onClick={() => openContact(hawser)}
      >
        {texts.add}
      </Button>
      <WalletContacts />
      {!isChoosing && <ContactsFile />}
    </div>
  )
}

interface ContactRowProps {
  contact: Contact
  isChoosing: boolean
  onSelect: () => void
}

function ContactRow({ contact, isChoosing, onSelect }: ContactRowProps) {
  const { namespaces } = useTexts()
  const hawser = useHawser()
  const hasSeveral = useHawserState(hawser.chain, ({ chains }) => chains.size > 1)
  const { namespace, address, name } = contact
  return (
    <ListItem
      title={name}
      subtitle={
        <>
          <bdi className="hw-mono">{shortenAddress(address)}</bdi>
          {hasSeveral && !isChoosing && ` · ${namespaces[namespace]}`}
        </>
      }
      icon={<Avatar seed={address} />}
      end={!isChoosing && <ChevronRightIcon size={18} />}
      data-testid={`contact-${address}`}
      onSelect={onSelect}
    />
  )
}

function isOpenedToSend({ history }: RouterState): boolean {
  const before = history.at(history.lastIndexOf('Contacts') - 1)
  return before === 'WalletSend' || before === 'WalletSendNft'
}
