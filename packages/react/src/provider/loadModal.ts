import { type Hawser, importModule } from '@hawser/core'

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
    const { loadFirstView } = await loadModal()
    await loadFirstView(hawser)
  } catch {}
}
