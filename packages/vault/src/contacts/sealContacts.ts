import { hkdfKey } from '../factors/factorKey.ts'
import type { Owner } from '../factors/factors.ts'
import { type Sealed, seal, unseal, wipe } from '../factors/seal.ts'
import { CallError } from '../session/api.ts'
import type { ContactRecord } from './records.ts'

/** Version of the format: the first byte of a blob. */
const FORMAT = 1
/** What is encrypted has a multiple of this size, so that the server learns little of how many contacts there are. */
const BLOCK = 4096
/** The service stores 64 KiB: the version, the nonce and the tag leave room for this much. */
const MOST_BYTES = 15 * BLOCK

const INFO = 'hawser contacts v1'

/** Derives the key of a wallet's contacts from its entropy, which is overwritten. */
export async function contactsKey(entropy: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const key = await hkdfKey(entropy, INFO)
  wipe(entropy)
  return key
}

/**
 * Encrypts records for the service. Where they do not fit, the oldest deletions are left out.
 *
 * @throws CallError `contactsFull` if they do not fit without deletions
 */
export async function sealContacts(
  key: CryptoKey,
  records: readonly ContactRecord[],
  owner: Owner,
): Promise<Uint8Array<ArrayBuffer>> {
  const sealed = await seal(key, encode(records), purpose(owner, FORMAT))
  const blob = new Uint8Array(1 + sealed.length)
  blob[0] = FORMAT
  blob.set(sealed, 1)
  return blob
}

/**
 * Decrypts the blob of a wallet; an empty one has no records.
 *
 * @throws CallError `contactsDamaged` for one of another wallet, that was changed, or that a later version wrote
 */
export async function openContacts(
  key: CryptoKey,
  blob: Uint8Array<ArrayBuffer>,
  owner: Owner,
): Promise<readonly ContactRecord[]> {
  if (blob.length === 0) return []
  try {
    if (blob[0] !== FORMAT) throw new Error('format is unknown')
    const sealed: Sealed = blob.subarray(1)
    return decode(await unseal(key, sealed, purpose(owner, FORMAT)))
  } catch (cause) {
    const damaged = new CallError('data_loss', 'The contacts of the wallet cannot be read', 'contactsDamaged')
    damaged.cause = cause
    throw damaged
  }
}

/** Returns the error of a wallet with too many contacts. */
export function contactsFull(): CallError {
  return new CallError('resource_exhausted', 'The wallet has too many contacts', 'contactsFull')
}

/** A record in JSON: namespace, address, name and time. */
type Row = readonly [string, string, string | null, number]

/** Encodes records as JSON, with spaces after it up to a multiple of the block. */
function encode(records: readonly ContactRecord[]): Uint8Array<ArrayBuffer> {
  const [contacts, deletions] = [false, true].map((isDeletion) =>
    records.filter(({ name }) => (name === null) === isDeletion),
  ) as [ContactRecord[], ContactRecord[]]
  const newest = deletions.sort((a, b) => b.updated - a.updated)
  const rows: string[] = []
  let size = '[]'.length
  for (const record of [...contacts, ...newest]) {
    const { namespace, address, name, updated } = record
    const row = JSON.stringify([namespace, address, name, updated] satisfies Row)
    size += new TextEncoder().encode(row).length + 1
    if (size > MOST_BYTES) {
      if (name !== null) throw contactsFull()
      break
    }
    rows.push(row)
  }
  const text = new TextEncoder().encode(`[${rows}]`)
  const padded = new Uint8Array(Math.ceil(text.length / BLOCK) * BLOCK).fill(' '.charCodeAt(0))
  padded.set(text)
  return padded
}

/** @throws Error for what `encode` does not write */
function decode(plain: Uint8Array): readonly ContactRecord[] {
  const rows: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(plain))
  if (!Array.isArray(rows)) throw new Error('contacts are no list')
  return rows.map((row: unknown) => {
    if (!isRow(row)) throw new Error('contact is malformed')
    const [namespace, address, name, updated] = row
    return { namespace, address, name, updated }
  })
}

function isRow(row: unknown): row is Row {
  if (!Array.isArray(row) || row.length !== 4) return false
  const [namespace, address, name, updated] = row as readonly unknown[]
  return (
    typeof namespace === 'string' &&
    typeof address === 'string' &&
    (name === null || typeof name === 'string') &&
    Number.isSafeInteger(updated)
  )
}

const purpose = ({ userId, walletId }: Owner, version: number) => `${userId}|${walletId}|contacts|${version}`
