import type { RecordProblem } from '../types/names.ts'

/** A text record that a visitor may edit. */
export interface RecordKind {
  readonly key: string
  readonly form: 'text' | 'link' | 'picture' | 'handle'
  /** In characters; in bytes for links and pictures. */
  readonly maxLength: number
  /** URL prefix of a handle's page. */
  readonly site?: string
}

const MAX_LINK_BYTES = 512
const MAX_HANDLE_LENGTH = 64

/** The editable keys (ENSIP-5, ENSIP-18), the most used first. */
export const recordKinds: readonly RecordKind[] = [
  { key: 'bio', form: 'text', maxLength: 255 },
  { key: 'avatar', form: 'picture', maxLength: MAX_LINK_BYTES },
  { key: 'url', form: 'link', maxLength: MAX_LINK_BYTES },
  { key: 'location', form: 'text', maxLength: 64 },
  { key: 'description', form: 'text', maxLength: 255 },
  { key: 'com.twitter', form: 'handle', maxLength: MAX_HANDLE_LENGTH, site: 'https://x.com/' },
  { key: 'com.github', form: 'handle', maxLength: MAX_HANDLE_LENGTH, site: 'https://github.com/' },
  { key: 'org.telegram', form: 'handle', maxLength: MAX_HANDLE_LENGTH, site: 'https://t.me/' },
  { key: 'xyz.farcaster', form: 'handle', maxLength: MAX_HANDLE_LENGTH, site: 'https://farcaster.xyz/' },
  { key: 'com.discord', form: 'handle', maxLength: MAX_HANDLE_LENGTH },
  { key: 'com.reddit', form: 'handle', maxLength: MAX_HANDLE_LENGTH, site: 'https://www.reddit.com/user/' },
  { key: 'alias', form: 'text', maxLength: 64 },
  { key: 'header', form: 'link', maxLength: MAX_LINK_BYTES },
]

const linkForm = /^(https?|ipfs):\/\/[^\s/?#@]+([/?#]\S*)?$/i
/** An NFT as a picture (ENSIP-12). */
const tokenForm = /^eip155:\d+\/erc(721|1155):0x[0-9a-f]{40}\/\d+$/i

/** Returns the length of a text: characters as people count them, bytes of a link. */
export function recordLength({ form }: RecordKind, text: string): number {
  const value = text.trim()
  const isBytes = form === 'link' || form === 'picture'
  return isBytes ? new TextEncoder().encode(value).length : [...value].length
}

/**
 * Returns what the gateway would refuse; undefined for a valid text and for an empty one, which deletes the record.
 */
export function recordProblem(kind: RecordKind, text: string): RecordProblem | undefined {
  const value = text.trim()
  if (value === '') return undefined
  if (recordLength(kind, value) > kind.maxLength) return 'tooLong'
  if (/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]|^[\s\p{Cf}]*$/u.test(value)) return 'hiddenLetters'
  if (kind.form === 'link' && !linkForm.test(value)) return 'noLink'
  if (kind.form === 'picture' && !linkForm.test(value) && !tokenForm.test(value)) return 'noPicture'
  if (kind.form === 'handle' && !/^@?[\w.#-]+$/.test(value)) return 'noHandle'
  return undefined
}

/** Returns the page of a record that a browser can open: an http or https URL, or the page of a handle. */
export function recordLink(key: string, value: string): string | undefined {
  const kind = recordKinds.find((known) => known.key === key)
  if (!kind || kind.form === 'text' || recordProblem(kind, value)) return undefined
  if (kind.form !== 'handle') return /^https?:/i.test(value) ? value : undefined
  if (!kind.site || value.includes('#')) return undefined
  return kind.site + encodeURIComponent(value.replace(/^@/, ''))
}

/**
 * Returns the records to sign: without empty texts, and with the existing ones under keys that cannot be edited here.
 */
export function writtenRecords(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const trimmed = Object.entries(attributes).map(([key, text]) => [key, text.trim()] as const)
  return Object.fromEntries(trimmed.filter(([, text]) => text !== ''))
}
