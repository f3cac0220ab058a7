import { type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/** A list of options below a text area that has the focus. */
export interface SuggestionKeys {
  isOpen: boolean
  /** The option that the arrows reached; -1 for none. */
  active: number
  /** Takes an option; the list stays closed until the text changes. */
  take(index: number): void
}

/**
 * Opens a list of options while a text area has the focus. The arrows move between the options, Enter takes the active
 * one and Escape closes the list.
 */
export function useSuggestionKeys(
  field: RefObject<HTMLTextAreaElement | null>,
  count: number,
  choose: (index: number) => void,
): SuggestionKeys {
  const [isFocused, setFocused] = useState(false)
  const [isDismissed, setDismissed] = useState(false)
  const [lastActive, setActive] = useState(-1)
  const isOpen = isFocused && !isDismissed && count > 0
  const active = Math.min(lastActive, count - 1)

  function close() {
    setDismissed(true)
    setActive(-1)
  }

  function take(index: number) {
    close()
    choose(index)
  }

  function actionOf(key: string): (() => void) | undefined {
    if (!isOpen) return key === 'ArrowDown' && isDismissed ? () => setDismissed(false) : undefined
    switch (key) {
      case 'ArrowDown':
        return () => setActive(active + 1 < count ? active + 1 : -1)
      case 'ArrowUp':
        return () => setActive(active < 0 ? count - 1 : active - 1)
      case 'Enter':
        return active < 0 ? undefined : () => take(active)
      case 'Escape':
        return close
      default:
        return undefined
    }
  }

  const onKeyDown = useRef<(event: KeyboardEvent) => void>(undefined)
  useEffect(() => {
    onKeyDown.current = (event) => {
      const act = event.isComposing ? undefined : actionOf(event.key)
      if (!act) return
      // Neither the form nor the modal is to act on the key.
      event.preventDefault()
      // The next key may come before React renders by itself.
      flushSync(act)
    }
  })
  useEffect(() => {
    const area = field.current
    if (!area) return
    const left = new AbortController()
    const { signal } = left
    setFocused((area.getRootNode() as Document | ShadowRoot).activeElement === area)
    area.addEventListener('focus', () => setFocused(true), { signal })
    area.addEventListener('blur', () => setFocused(false), { signal })
    area.addEventListener('keydown', (event) => onKeyDown.current?.(event), { signal })
    area.addEventListener(
      'input',
      () => {
        setDismissed(false)
        setActive(-1)
      },
      { signal },
    )
    return () => left.abort()
  }, [field])
  return { isOpen, active, take }
}
