import {
  type ReceiverStatus,
  readReceiverHistory,
  setReceiver,
  shortenAddress,
  suggestReceivers,
} from '@hawser/core'
import { Avatar } from '@hawser/ui'
import { type RefObject, useEffect, useId } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useReceiverTexts } from '../../locale/useReceiverTexts.ts'
import { useContacts } from '../contacts/useContacts.ts'
import { useSuggestionKeys } from './useSuggestionKeys.ts'

/** While it is one of these, the text is no receiver yet. */
const unfinished: readonly ReceiverStatus[] = ['empty', 'unchecked', 'invalid']

export interface ReceiverSuggestionsProps {
  field: RefObject<HTMLTextAreaElement | null>
  /** The text of the field. */
  typed: string
}

/**
 * Suggests contacts, and addresses that the account sent to, as the receiver of the draft, in a listbox below its field. A text
 * area cannot have the role of a combobox (ARIA in HTML). As a textbox it has the same properties except
 * `aria-expanded`, so the number of options is said.
 */
export function ReceiverSuggestions({ field, typed }: ReceiverSuggestionsProps) {
  const texts = useReceiverTexts()
  const hawser = useHawser()
  const id = useId()
  const status = useHawserState(hawser.send, (state) => state.receiverStatus)
  // The suggestions read these as well.
  useContacts()
  useHawserState(hawser.activity, (state) => state)
  useEffect(() => void readReceiverHistory(hawser), [hawser])
  const found = unfinished.includes(status) ? suggestReceivers(hawser, typed) : []
  const { isOpen, active, take } = useSuggestionKeys(field, found.length, (index) => {
    void setReceiver(hawser, found[index]?.address ?? '')
  })
  useFieldAttributes(field, {
    'aria-autocomplete': 'list',
    'aria-haspopup': 'listbox',
    'aria-controls': isOpen ? id : undefined,
    'aria-activedescendant': isOpen && active >= 0 ? `${id}-${active}` : undefined,
  })
  if (!isOpen) return null
  return (
    <>
      <div id={id} className="hw-suggestions" role="listbox" aria-label={texts.suggestions}>
        {found.map(({ address, name }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text area has the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the text area has the focus
          <div
            key={address}
            id={`${id}-${index}`}
            className="hw-suggestion"
            role="option"
            aria-selected={index === active}
            data-testid="suggestion"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(index)}
          >
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
          </div>
        ))}
      </div>
      <span className="hw-visually-hidden" role="status">
        {texts.found(found.length)}
      </span>
    </>
  )
}

/** Sets attributes of the field that only its suggestions know. */
function useFieldAttributes(
  field: RefObject<HTMLTextAreaElement | null>,
  attributes: Readonly<Record<string, string | undefined>>,
) {
  useEffect(() => {
    for (const [name, value] of Object.entries(attributes)) {
      if (value === undefined) field.current?.removeAttribute(name)
      else field.current?.setAttribute(name, value)
    }
  })
}
