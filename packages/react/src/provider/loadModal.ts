import { type Hawser, importModule, selectAccount } from '@hawser/core'

/** The modal, its styles and its first view: one chunk, fetched when somebody reaches for a button. */
export async function loadModal() {
  const module = await importModule(() => import('../modal/Modal.tsx'), 'Modal')
  module.adoptStyles()
  return module
}

/** Fetches what the next opening shows. A failure is told when the modal is opened, not here. */
export async function preloadModal(hawser: Hawser): Promise<void> {
  try {
    const { loadView } = await loadModal()
    if (selectAccount(hawser.chain.getState()).address) await loadView('Account')
  } catch {}
}
