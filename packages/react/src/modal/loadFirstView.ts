import { embeddedConnector, type Hawser, selectAccount } from '@hawser/core'
import { loadLocale } from '../locale/setLocale.ts'
import { loginFeature } from './loginFeature.ts'
import { loadView } from './routes.ts'

/** Loads the texts and the first view of the next opening. */
export async function loadFirstView(hawser: Hawser): Promise<void> {
  await Promise.all([loadLocale(hawser), loadParts(hawser)])
}

async function loadParts(hawser: Hawser): Promise<void> {
  if (selectAccount(hawser.chain.getState()).address) await loadView('Account')
  else if (embeddedConnector(hawser.connectors.getState().allConnectors)) await loginFeature.load()
}
