import { failures } from '../../failures.ts'
import type { Vault } from '../../vault/vault.ts'
import { FrameError, providerErrorCode } from '../frameError.ts'
import { unlock } from '../unlock.ts'
import { type Handlers, type SiteContext, shown } from './context.ts'

/** Returns the handlers of calls about the contacts of the wallet, which the user shares with a site or does not. */
export function contactsHandlers(context: SiteContext): Handlers<'GET_CONTACTS' | 'CHANGE_CONTACTS'> {
  const { vault } = context
  return {
    async GET_CONTACTS({ ask = false } = {}) {
      if (!(await isOpen(context))) {
        if (!ask) return { contacts: null }
        await shown(context, () => share(context))
      }
      return { contacts: await vault.listContacts() }
    },
    async CHANGE_CONTACTS({ changes }) {
      if (!(await isOpen(context)))
        throw new FrameError('The contacts are not shared with this site', providerErrorCode.unauthorized)
      return { contacts: await vault.changeContacts(changes) }
    },
  }
}

/** Reports whether the user shares the contacts with the site, and this browser opens the wallet by itself. @throws FrameError 4100 without a user */
async function isOpen({ site, vault }: SiteContext): Promise<boolean> {
  // Older SDKs do not show the frame for these calls.
  if (site.isLegacy || !(await vault.isSignedIn()))
    throw new FrameError(failures.signedOut, providerErrorCode.unauthorized)
  return (await isShared(vault, site.origin)) && (await vault.unlock()).isOpen
}

/** Asks the user to share the contacts with the site, unless they do, and to open the wallet. @throws FrameError 4001 */
async function share({ site: { origin }, vault, approvals }: SiteContext): Promise<void> {
  const requireWanted = approvals.begin()
  const wasShared = await isShared(vault, origin)
  requireWanted()
  if (!wasShared) await approvals.shareContacts({ site: origin })
  await unlock({ vault, approvals }, requireWanted)
  requireWanted()
  if (!wasShared) await vault.shareContacts(origin)
}

async function isShared(vault: Vault, site: string): Promise<boolean> {
  return (await vault.listContactSites()).includes(site)
}
