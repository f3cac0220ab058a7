import { importModule } from './importModule.ts'
import type { Hawser } from './types/hawser.ts'

type ConnectedCode = typeof import('./connected.ts')

/** Loads what a page needs once a wallet is connected. */
export function importConnected(): Promise<ConnectedCode> {
  return importModule(() => import('./connected.ts'), 'followUntilDisconnected')
}

/** Uses that code. A failure to load it is logged. */
export function withConnected(hawser: Hawser, use: (code: ConnectedCode) => void): void {
  importConnected()
    .then(use)
    .catch((error) =>
      hawser.log.write('warn', 'the code of a connected page failed', { error: String(error) }),
    )
}
