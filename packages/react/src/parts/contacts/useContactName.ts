import { findContact } from '@hawser/core'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'

/** Returns the name of an address of the active namespace that is a contact, once the contacts are read. */
export function useContactName(address: string | undefined): string | undefined {
  const hawser = useHawser()
  const namespace = useHawserState(hawser.chain, ({ activeChain }) => activeChain)
  return useHawserState(hawser.contacts, ({ list }) =>
    address === undefined ? undefined : findContact(list, namespace, address)?.name,
  )
}
