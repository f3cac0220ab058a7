import { type Hawser, selectAccount } from '@hawser/core'

/** The modal and its first view: one chunk, fetched when somebody reaches for a button. */
export function loadModal() {
  return import('../modal/Modal.tsx')
}

/** Fetches what the next opening shows. A failure is told when the modal is opened, not here. */
export async function preloadModal(hawser: Hawser): Promise<void> {
  try {
    const { loadView } = await loadModal()
    if (selectAccount(hawser.chain.getState()).address) await loadView('Account')
  } catch {}
}
