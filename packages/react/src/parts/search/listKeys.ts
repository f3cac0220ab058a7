/** Returns the enabled rows of a view, from top to bottom. */
function rowsOf(view: Element): HTMLElement[] {
  return [...view.querySelectorAll<HTMLElement>('.hw-row:is(button, a):not(:disabled)')]
}

/**
 * Adds keyboard navigation to a list with a search: Enter in the search chooses the first row, the arrows move between
 * the rows and the search, and typing anywhere focuses the search.
 *
 * @returns a function that removes it.
 */
export function listenToListKeys(search: HTMLInputElement): () => void {
  const view = search.closest('.hw-view')
  const dialog = search.closest('dialog')
  if (!view || !dialog) return () => undefined

  function onKeyDown(event: KeyboardEvent) {
    const { key, target, defaultPrevented, isComposing, ctrlKey, metaKey, altKey, repeat } = event
    if (!view || defaultPrevented || isComposing || ctrlKey || metaKey || altKey) return
    const isInSearch = target === search
    const rows = rowsOf(view)
    const at = rows.indexOf(target as HTMLElement)
    if (key === 'Enter' && isInSearch && !repeat) {
      event.preventDefault()
      rows[0]?.click()
    } else if (key === 'ArrowDown' && (isInSearch || at >= 0)) {
      event.preventDefault()
      rows[at + 1]?.focus()
    } else if (key === 'ArrowUp' && at >= 0) {
      event.preventDefault()
      const above = at === 0 ? search : rows[at - 1]
      above?.focus()
    } else if (isCharacter(key) && !isTextField(target)) {
      // The browser types the character where the focus is once the key is handled.
      search.focus({ preventScroll: true })
    }
  }
  dialog.addEventListener('keydown', onKeyDown)
  return () => dialog.removeEventListener('keydown', onKeyDown)
}

/** Spaces are left out: they press the focused button. */
function isCharacter(key: string): boolean {
  return [...key].length === 1 && key !== ' '
}

function isTextField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
}
