import { type Contact, readContacts } from '@hawser/core'
import { useEffect } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'

/** Returns the contacts of all namespaces, which are read from storage on mount. */
export function useContacts(): readonly Contact[] {
  const hawser = useHawser()
  useEffect(() => void readContacts(hawser), [hawser])
  return useHawserState(hawser.contacts, ({ list }) => list)
}
