/** The modal and its first view: one chunk, fetched when somebody reaches for a button. */
export function loadModal() {
  return import('../modal/Modal.tsx')
}
