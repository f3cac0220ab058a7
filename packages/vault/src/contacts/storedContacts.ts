import { plainText } from '@hawser/client'
import { fromBase64, toBase64 } from '../factors/factorKey.ts'
import { CallError } from '../session/api.ts'
import type { VaultContext } from '../vault/vaultContext.ts'
import {
  type ContactChange,
  type ContactRecord,
  changeRecords,
  contactsOf,
  MOST_CONTACTS,
  mergeRecords,
  type WalletContact,
  withoutOldDeletions,
} from './records.ts'
import { contactsFull, openContacts, sealContacts } from './sealContacts.ts'

type Wallet = Awaited<ReturnType<VaultContext['wallets']['contactsKey']>>

/** What the service stores, decrypted. */
interface Stored {
  /** As the service has it, an integer in decimal digits. */
  readonly version: string
  readonly records: readonly ContactRecord[]
}

/** How often contacts are written that other devices changed meanwhile. */
const MOST_WRITES = 5
/** Characters of a contact's name. */
const LONGEST_NAME = 64

/** Returns the contacts of the open wallet. @throws CallError as `ContactsVault.listContacts` does */
export async function listContacts(context: VaultContext): Promise<readonly WalletContact[]> {
  const { records } = await read(context, await context.wallets.contactsKey())
  return contactsOf(records)
}

/** Changes the contacts of the open wallet, and returns them. @throws CallError as `ContactsVault.changeContacts` does */
export async function changeContacts(
  context: VaultContext,
  changes: readonly ContactChange[],
): Promise<readonly WalletContact[]> {
  const wallet = await context.wallets.contactsKey()
  const now = Math.floor(context.api.now() * 1_000)
  const before = await read(context, wallet)
  let { version } = before
  let records = changeRecords(before.records, changes.map(plainChange), now)
  for (let writes = 1; ; writes += 1) {
    records = withoutOldDeletions(records, now)
    if (contactsOf(records).length > MOST_CONTACTS) throw contactsFull()
    try {
      await write(context, wallet, { version, records })
      return contactsOf(records)
    } catch (error) {
      if (!isChanged(error) || writes === MOST_WRITES) throw error
    }
    const others = await read(context, wallet)
    version = others.version
    records = mergeRecords(records, others.records)
  }
}

async function read({ sessions }: VaultContext, { key, owner }: Wallet): Promise<Stored> {
  const { version = '0', blob = '' } = await sessions.call('WalletService/GetContacts', {})
  return { version: String(version), records: await openContacts(key, fromBase64(blob), owner) }
}

async function write(
  { sessions }: VaultContext,
  { key, owner }: Wallet,
  { version, records }: Stored,
): Promise<void> {
  const blob = toBase64(await sealContacts(key, records, owner))
  await sessions.call('WalletService/SetContacts', { walletId: owner.walletId, version, blob })
}

const isChanged = (error: unknown) => error instanceof CallError && error.reason === 'CONTACTS_CHANGED'

/** Returns a change with a name as all sites may show it. @throws CallError for one that no contact has */
function plainChange({ namespace, address, name }: ContactChange): ContactChange {
  const plain = name === undefined ? undefined : plainText(name).trim()
  if (plain === '' || (plain !== undefined && [...plain].length > LONGEST_NAME))
    throw new CallError('invalid_argument', 'The name of a contact has 1 to 64 characters')
  if (!/^[-a-z0-9]{3,8}$/.test(namespace) || !/^[!-~]{1,128}$/.test(address))
    throw new CallError('invalid_argument', 'The address of a contact is malformed')
  return plain === undefined ? { namespace, address } : { namespace, address, name: plain }
}
