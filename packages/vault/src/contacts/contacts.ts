import type { ContactsVault } from '../vault/contactsVault.ts'
import type { Opening } from '../vault/opening.ts'
import type { VaultContext } from '../vault/vaultContext.ts'
import { changeContacts, listContacts } from './storedContacts.ts'

/** The sites that the user of a session shares the contacts with. */
interface Sharing {
  readonly sessionId: string
  readonly sites: readonly string[]
}

const SHARING = 'contactSites'

/** Creates the contacts of the wallet, as a page uses them. */
export function createContacts(context: VaultContext, opening: Opening): ContactsVault {
  const { sessions, store, exclusively } = context

  /** Returns the sites of the session in use: those of another one have ended with it. */
  async function sharing(): Promise<Sharing | undefined> {
    const session = await sessions.current()
    if (!session) return undefined
    const stored = await store.get<Sharing>(SHARING)
    return stored?.sessionId === session.id ? stored : { sessionId: session.id, sites: [] }
  }

  function changeSites(changed: (sites: readonly string[]) => readonly string[]): Promise<void> {
    return exclusively(async () => {
      const before = await sharing()
      if (before) await store.put(SHARING, { ...before, sites: changed(before.sites) } satisfies Sharing)
    })
  }

  return {
    listContactSites: async () => (await sharing())?.sites ?? [],
    shareContacts: (site) => changeSites((sites) => [...new Set([...sites, site])]),
    unshareContacts: (site) => changeSites((sites) => sites.filter((each) => each !== site)),
    async listContacts() {
      opening.require()
      return listContacts(context)
    },
    async changeContacts(changes) {
      opening.require()
      return changeContacts(context, changes)
    },
  }
}
