import { errorMessage } from '../errors/walletErrors.ts'
import { importModule } from '../importModule.ts'
import type { Contact, WalletContactsProblem } from '../types/contacts.ts'
import type { EmbeddedContact, EmbeddedContactChange, EmbeddedWallet } from '../types/embeddedWallet.ts'
import type { Hawser } from '../types/hawser.ts'
import { findContact, inOrder, readContact } from './contact.ts'
import { hasEmbeddedWallet, pageContacts } from './pageContacts.ts'

/** How long contacts that were read are not read again. */
const FRESH_MS = 30_000

/** Of EIP-1193: the visitor declined. */
const DECLINED = 4001

/** Shows the contacts of the embedded wallet, if the visitor shares them with the site. Those of the last 30 seconds are not read again. */
export async function readWalletContacts(hawser: Hawser): Promise<void> {
  const { walletReadAt } = hawser.contacts.getState()
  if (walletReadAt !== undefined && hawser.clock.now() - walletReadAt < FRESH_MS) return
  await read(hawser, false)
}

/** Asks the visitor, in the frame of the embedded wallet, to share its contacts with the site, and shows them. */
export async function shareWalletContacts(hawser: Hawser): Promise<void> {
  await read(hawser, true)
}

/** Returns the contacts of the page that the wallet does not have; none while the contacts are not those of a wallet. */
export function contactsToCopy(hawser: Hawser): readonly Contact[] {
  const { wallet, list } = hawser.contacts.getState()
  if (wallet !== 'shared') return []
  return pageContacts(hawser).filter(({ namespace, address }) => !findContact(list, namespace, address))
}

/** Writes the difference between two lists to the wallet, and shows what the wallet has then. */
export async function writeWalletContacts(
  hawser: Hawser,
  before: readonly Contact[],
  after: readonly Contact[],
): Promise<void> {
  const latest = hawser.latest.begin('contacts:write')
  // What is being read is older than the change.
  hawser.latest.abandon('contacts:read')
  try {
    const wallet = await walletOf(hawser)
    const contacts = await wallet.changeContacts(changesOf(before, after))
    if (latest.isCurrent()) take(hawser, contacts)
  } catch (error) {
    if (isLeft(hawser)) return
    await read(hawser, false)
    if (!isLeft(hawser)) fail(hawser, error)
  }
}

async function walletOf(hawser: Hawser): Promise<EmbeddedWallet> {
  const { contactsWallet } = await importModule(() => import('./contactsWallet.ts'), 'contactsWallet')
  return contactsWallet(hawser)
}

/** Reports whether the visitor left the wallet whose contacts were shown. */
function isLeft({ contacts }: Hawser): boolean {
  return contacts.getState().walletReadAt === undefined
}

async function read(hawser: Hawser, ask: boolean): Promise<void> {
  if (!hasEmbeddedWallet(hawser)) return
  followWallet(hawser)
  await hawser.latest.share(`contacts:${ask ? 'ask' : 'read'}`, '', async (latest) => {
    try {
      const wallet = await walletOf(hawser)
      if (!latest.isCurrent()) return
      const contacts = await wallet.getContacts({ ask })
      if (latest.isCurrent()) take(hawser, contacts)
    } catch (error) {
      if (latest.isCurrent()) fail(hawser, error)
    }
  })
}

/** Shows the contacts of the page again once no embedded wallet is connected. */
function followWallet(hawser: Hawser): void {
  if (!isLeft(hawser)) return
  hawser.contacts.setState({ walletReadAt: hawser.clock.now() })
  const stop = hawser.connectors.subscribe(() => {
    if (hasEmbeddedWallet(hawser)) return
    stop()
    hawser.latest.abandon('contacts:')
    const list = inOrder(pageContacts(hawser))
    hawser.contacts.setState({ list, wallet: undefined, problem: undefined, walletReadAt: undefined })
  })
}

/** Shows the contacts of the wallet; those of the page if the visitor does not share the wallet’s. */
function take(hawser: Hawser, contacts: readonly EmbeddedContact[] | undefined): void {
  const list = contacts
    ? contacts.map(readContact).filter((contact) => typeof contact === 'object')
    : pageContacts(hawser)
  hawser.contacts.setState({
    list: inOrder(list),
    wallet: contacts ? 'shared' : 'apart',
    problem: undefined,
    walletReadAt: hawser.clock.now(),
  })
}

function fail(hawser: Hawser, error: unknown): void {
  const { code, reason } = Object(error) as { readonly code?: unknown; readonly reason?: unknown }
  const problem = code === DECLINED ? undefined : problemOf(reason)
  if (problem)
    hawser.log.write('warn', 'the contacts of the wallet are not available', { error: errorMessage(error) })
  hawser.contacts.setState(({ wallet = 'apart' }) => ({
    wallet,
    problem,
    walletReadAt: hawser.clock.now(),
  }))
}

function problemOf(reason: unknown): WalletContactsProblem {
  if (reason === 'contactsDamaged') return 'damaged'
  return reason === 'contactsFull' ? 'full' : 'failed'
}

function changesOf(before: readonly Contact[], after: readonly Contact[]): readonly EmbeddedContactChange[] {
  const named = after.filter(
    ({ namespace, address, name }) => findContact(before, namespace, address)?.name !== name,
  )
  const removed = before
    .filter(({ namespace, address }) => !findContact(after, namespace, address))
    .map(({ namespace, address }) => ({ namespace, address }))
  return [...named, ...removed]
}
