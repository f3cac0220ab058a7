import { activeCounterparties, counterpartiesOf, type Doubt, doubtAbout } from '../activity/counterparties.ts'
import type { Contact } from '../types/contacts.ts'
import type { Hawser } from '../types/hawser.ts'

/**
 * Returns why the address of a contact to be may be an attacker's; undefined without a doubt. It is compared with the contacts of
 * its namespace and, in the active one, with whom the account dealt with.
 */
export function contactDoubt(
  hawser: Hawser,
  { namespace, address }: Pick<Contact, 'namespace' | 'address'>,
): Doubt | undefined {
  if (namespace === hawser.chain.getState().activeChain)
    return doubtAbout(address, activeCounterparties(hawser))
  const contacts = hawser.contacts.getState().list.filter((each) => each.namespace === namespace)
  return doubtAbout(address, counterpartiesOf([], [], contacts))
}
