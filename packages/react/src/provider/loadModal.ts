import { type Hawser, importModule, selectAccount } from '@hawser/core'

type Shell = typeof import('../features/shell.ts')

/** Module state is safe here: it is code, and the same for every instance on the page. */
let shell: Shell | undefined

/** Loads the chunk with the modal, its styles and its first views. */
export async function loadModal(): Promise<Shell> {
  shell ??= await importModule(() => import('../features/shell.ts'), 'Modal')
  return shell
}

/** Returns the modal if its chunk is loaded. */
export function loadedModal(): Shell['Modal'] | undefined {
  return shell?.Modal
}

/** Loads what the next opening shows. A failure is reported when the modal is opened, not here. */
export async function preloadModal(hawser: Hawser): Promise<void> {
  try {
    const { loadView } = await loadModal()
    if (selectAccount(hawser.chain.getState()).address) await loadView('Account')
  } catch {}
}
