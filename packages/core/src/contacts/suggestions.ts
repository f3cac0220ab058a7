import { activeOwner } from '../account/owner.ts'
import { counterpartiesOf } from '../activity/counterparties.ts'
import { shownActivity } from '../activity/pages.ts'
import { comparableAddress } from '../address/lookAlike.ts'
import type { Contact } from '../types/contacts.ts'
import type { Hawser } from '../types/hawser.ts'
import { findContact, searchContacts } from './contact.ts'

const MOST_SUGGESTIONS = 5

/** A receiver that a form offers: a contact, or an address that the account sent to. */
export interface ReceiverSuggestion {
  readonly address: string
  /** That of a contact. */
  readonly name?: string
}

/**
 * Returns receivers that a typed text may mean, in the active namespace: contacts by name or address, then addresses that the
 * account sent to, the last first. Addresses that only paid the account, or occur in spam, are not among them: anybody
 * can bring that about. None for a text that is one of them already.
 */
export function suggestReceivers(hawser: Hawser, typed: string): readonly ReceiverSuggestion[] {
  const { activeChain } = hawser.chain.getState()
  const contacts = hawser.contacts.getState().list.filter(({ namespace }) => namespace === activeChain)
  const found = [
    ...searchContacts(contacts, typed).map(({ address, name }) => ({ address, name })),
    ...sentTo(hawser, contacts)
      .filter((address) => address.toLowerCase().includes(typed.trim().toLowerCase()))
      .map((address) => ({ address })),
  ]
  const isTyped = found.some(({ address }) => comparableAddress(address) === comparableAddress(typed.trim()))
  return isTyped ? [] : found.slice(0, MOST_SUGGESTIONS)
}

/** Returns the addresses that plain transfers of the account went to, without contacts. */
function sentTo(hawser: Hawser, contacts: readonly Contact[]): readonly string[] {
  const activity = hawser.activity.getState()
  const owner = activeOwner(hawser)
  if (!owner || activity.owner !== owner.caipAddress) return []
  const transfers = shownActivity(activity).filter(({ metadata }) => metadata.operationType === 'send')
  return [...counterpartiesOf(transfers, [owner.address]).values()]
    .filter(({ dealing, address }) => {
      return dealing === 'sentTo' && !findContact(contacts, owner.network.chainNamespace, address)
    })
    .map(({ address }) => address)
}
