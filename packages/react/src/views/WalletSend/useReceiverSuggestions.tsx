import {
  type ReceiverStatus,
  readReceiverHistory,
  setReceiver,
  shortenAddress,
  suggestReceivers,
} from '@hawser/core'
import { Avatar } from '@hawser/ui'
import { useEffect } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useReceiverCheckTexts } from '../../locale/useReceiverCheckTexts.ts'
import { useContacts } from '../../parts/contacts/useContacts.ts'
import { type SuggestedField, useSuggestions } from '../../parts/suggestions/useSuggestions.tsx'

/** While it is one of these, the text is no receiver yet. */
const unfinished: readonly ReceiverStatus[] = ['empty', 'unchecked', 'invalid']

/** Suggests contacts, and addresses that the account sent to, as the receiver of the draft. */
export function useReceiverSuggestions(typed: string): SuggestedField {
  const texts = useReceiverCheckTexts()
  const hawser = useHawser()
  const status = useHawserState(hawser.send, (state) => state.receiverStatus)
  // The suggestions read these as well.
  useContacts()
  useHawserState(hawser.activity, (state) => state)
  useEffect(() => void readReceiverHistory(hawser), [hawser])
  const found = unfinished.includes(status) ? suggestReceivers(hawser, typed) : []
  const suggestions = found.map(({ address, name }) => ({
    value: address,
    content: (
      <>
        <Avatar seed={address} size={32} />
        <span className="hw-row-text">
          {name && (
            <span className="hw-row-title" dir="auto">
              {name}
            </span>
          )}
          <bdi className={name ? 'hw-row-subtitle hw-mono' : 'hw-mono'}>{shortenAddress(address)}</bdi>
          {!name && <span className="hw-row-subtitle">{texts.sentBefore}</span>}
        </span>
      </>
    ),
  }))
  return useSuggestions(suggestions, (address) => void setReceiver(hawser, address))
}
