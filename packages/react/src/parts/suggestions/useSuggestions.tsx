import { type KeyboardEvent, type ReactNode, type TextareaHTMLAttributes, useId, useState } from 'react'
import { useReceiverCheckTexts } from '../../locale/useReceiverCheckTexts.ts'

/** One of the values that a field offers. */
export interface Suggestion {
  value: string
  content: ReactNode
}

/** What a field with suggestions needs: attributes of its text area, and the list below it. */
export interface SuggestedField {
  field: TextareaHTMLAttributes<HTMLTextAreaElement>
  list: ReactNode
}

/**
 * Offers values below a text area while it has the focus, in a listbox whose active option the text area names. The arrows move
 * between the options, Enter takes the active one and Escape closes the list. A text area cannot have the role of a combobox
 * (ARIA in HTML); as a textbox it has the same properties but `aria-expanded`, so the number of options is said.
 *
 * @param choose takes a value; the list stays closed until the text changes.
 */
export function useSuggestions(
  suggestions: readonly Suggestion[],
  choose: (value: string) => void,
): SuggestedField {
  const texts = useReceiverCheckTexts()
  const id = useId()
  const [isFocused, setFocused] = useState(false)
  const [isDismissed, setDismissed] = useState(false)
  const [lastActive, setActive] = useState(-1)
  const isOpen = isFocused && !isDismissed && suggestions.length > 0
  const active = Math.min(lastActive, suggestions.length - 1)
  const optionId = (index: number) => `${id}-${index}`

  function close() {
    setDismissed(true)
    setActive(-1)
  }

  function take(value: string) {
    close()
    choose(value)
  }

  function onKeyDown(event: KeyboardEvent) {
    const handle = event.nativeEvent.isComposing ? undefined : actionOf(event.key)
    if (!handle) return
    event.preventDefault()
    handle()
  }

  function actionOf(key: string): (() => void) | undefined {
    const wanted = suggestions[active]
    if (!isOpen) return key === 'ArrowDown' && isDismissed ? () => setDismissed(false) : undefined
    switch (key) {
      case 'ArrowDown':
        return () => setActive(active + 1 < suggestions.length ? active + 1 : -1)
      case 'ArrowUp':
        return () => setActive(active < 0 ? suggestions.length - 1 : active - 1)
      case 'Enter':
        return wanted && (() => take(wanted.value))
      case 'Escape':
        return close
      default:
        return undefined
    }
  }

  const list = isOpen && (
    <>
      <div id={id} className="hw-suggestions" role="listbox" aria-label={texts.suggestions}>
        {suggestions.map(({ value, content }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text area has the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the text area has the focus
          <div
            key={value}
            id={optionId(index)}
            className="hw-suggestion"
            role="option"
            aria-selected={index === active}
            data-testid="suggestion"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(value)}
          >
            {content}
          </div>
        ))}
      </div>
      <span className="hw-visually-hidden" role="status">
        {texts.found(suggestions.length)}
      </span>
    </>
  )
  return {
    field: {
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      'aria-controls': isOpen ? id : undefined,
      'aria-activedescendant': isOpen && active >= 0 ? optionId(active) : undefined,
      onKeyDown,
      onInput: () => {
        setDismissed(false)
        setActive(-1)
      },
      onFocus: () => setFocused(true),
      onBlur: () => setFocused(false),
    },
    list,
  }
}
