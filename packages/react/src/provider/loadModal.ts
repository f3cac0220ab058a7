import { type Hawser, importModule, selectAccount } from '@hawser/core'

type Shell = typeof import('../features/shell.ts')

/** Code, not state: it is the same for every kit of the page. */
let shell: Shell | undefined

/** The modal, its styles and its first views: one chunk. */
export async function loadModal(): Promise<Shell> {
  shell ??= await importModule(() => import('../features/shell.ts'), 'Modal')
  return shell
}

/** The modal if its code is here. */
export function loadedModal(): Shell['Modal'] | undefined {
  return shell?.Modal
}

/** Fetches what the next opening shows. A failure is told when the modal is opened, not here. */
export async function preloadModal(hawser: Hawser): Promise<void> {
  try {
    const { loadView } = await loadModal()
    if (selectAccount(hawser.chain.getState()).address) await loadView('Account')
  } catch {}
}
