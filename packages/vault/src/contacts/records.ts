/** A contact as a wallet stores it. One that was deleted stays as a record without a name. */
export interface ContactRecord {
  /** CAIP-2. */
  readonly namespace: string
  readonly address: string
  /** Null for a contact that was deleted. */
  readonly name: string | null
  /** Unix milliseconds of the change. */
  readonly updated: number
}

/** A contact as a site sees it. */
export interface WalletContact {
  /** CAIP-2. */
  readonly namespace: string
  readonly address: string
  /** Plain text, 1 to 64 characters. */
  readonly name: string
}

/** A change of a contact: a new name, or no name to delete it. */
export type ContactChange = Pick<WalletContact, 'namespace' | 'address'> &
  Partial<Pick<WalletContact, 'name'>>

/** A wallet has at most this many contacts. */
export const MOST_CONTACTS = 500

/** How long a deletion is kept, in milliseconds: a device that changed the contact before does not bring it back. */
const DELETION_MS = 90 * 24 * 60 * 60_000

/**
 * Merges the records of two devices: of each address the newest one. Of two that were changed in the same millisecond, both devices
 * choose the same one, a deletion first. The order of the records is that of their addresses.
 */
export function mergeRecords(
  own: readonly ContactRecord[],
  others: readonly ContactRecord[],
): readonly ContactRecord[] {
  const merged = new Map<string, ContactRecord>()
  for (const record of [...own, ...others]) {
    const key = keyOf(record)
    const before = merged.get(key)
    if (!before || isNewer(record, before)) merged.set(key, record)
  }
  return [...merged].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record)
}

/**
 * Returns records with changes that are made now.
 *
 * @param now Unix milliseconds
 */
export function changeRecords(
  records: readonly ContactRecord[],
  changes: readonly ContactChange[],
  now: number,
): readonly ContactRecord[] {
  const changed = new Map(mergeRecords(records, []).map((record) => [keyOf(record), record]))
  for (const { namespace, address, name = null } of changes) {
    const key = keyOf({ namespace, address })
    const before = changed.get(key)
    if ((before?.name ?? null) === name) continue
    // The clock of the device that wrote last may be ahead.
    const updated = Math.max(now, (before?.updated ?? 0) + 1)
    changed.set(key, { namespace, address: before?.address ?? address, name, updated })
  }
  return mergeRecords([...changed.values()], [])
}

/** Returns records without the deletions that are older than 90 days. */
export function withoutOldDeletions(
  records: readonly ContactRecord[],
  now: number,
): readonly ContactRecord[] {
  return records.filter(({ name, updated }) => name !== null || now - updated < DELETION_MS)
}

/** Returns the contacts that are not deleted. */
export function contactsOf(records: readonly ContactRecord[]): readonly WalletContact[] {
  return records.flatMap(({ namespace, address, name }) =>
    name === null ? [] : [{ namespace, address, name }],
  )
}

/** Returns what other spellings of an address share: hex, and bech32 in capital letters, are compared in lower case. */
function keyOf({ namespace, address }: Pick<ContactRecord, 'namespace' | 'address'>): string {
  const isCaseless = address.startsWith('0x') || address === address.toUpperCase()
  return `${namespace}:${isCaseless ? address.toLowerCase() : address}`
}

/** Orders all records of an address, so that every device chooses the same one. */
function isNewer(record: ContactRecord, other: ContactRecord): boolean {
  if (record.updated !== other.updated) return record.updated > other.updated
  if (record.name === null || other.name === null) {
    if (record.name !== other.name) return record.name === null
    return record.address > other.address
  }
  if (record.name !== other.name) return record.name > other.name
  return record.address > other.address
}
