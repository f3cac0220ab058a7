/** What a name is to become, or whose. */
type NameAction = 'register' | 'records' | 'address' | 'transfer' | 'release'

/** An account on one chain. */
interface SentencePlace {
  /** 0x and 40 hex digits of any case. */
  readonly address: string
  /** Of an EVM chain (ENSIP-11). */
  readonly coinType: number
}

/** What is signed: who wants what of whose names, and until when. */
export interface Sentence extends NameWish {
  /** Whose names they are, as the gateway says it. */
  readonly installation: string
  readonly account: SentencePlace
  /** Unix seconds. */
  readonly issued: number
  /** Unix seconds, an hour later at most. */
  readonly expires: number
  /** 32 hex digits that no other sentence has. */
  readonly code: string
}

/** What is wanted of a name. */
export interface NameWish {
  readonly action: NameAction
  readonly name: string
  /** Where the name is to lead, or who is to have it. */
  readonly target?: SentencePlace | undefined
  /** What the name says, by key. */
  readonly records?: Readonly<Record<string, string>> | undefined
}

const verbs: Readonly<Record<NameAction, string>> = {
  register: 'register',
  records: 'set the records of',
  address: 'set an address of',
  transfer: 'transfer',
  release: 'release',
}

const ETHEREUM = 60
const EVM_CHAIN = 0x80000000

/**
 * Spells a sentence as it is signed: the gateway writes the same bytes of what it reads, or refuses it.
 *
 * @throws RangeError for a text that would be more than its line.
 */
export function spellSentence(sentence: Sentence): string {
  const { installation, action, name, account, target, records = {}, issued, expires, code } = sentence
  const lines = [
    `Hawser names at ${installation}: ${verbs[action]} ${name}`,
    '',
    `Account: ${spellPlace(account)}`,
    ...(target ? [`${action === 'transfer' ? 'New owner' : 'Address'}: ${spellPlace(target)}`] : []),
    ...Object.keys(records)
      .sort()
      .map((key) => `Record ${key}: ${records[key]}`),
    `Issued: ${spellSecond(issued)}`,
    `Expires: ${spellSecond(expires)}`,
    `Code: ${code}`,
  ]
  if (lines.some((line) => /[\p{Cc}\u2028\u2029]/u.test(line)))
    throw new RangeError('A line holds control characters')
  return lines.join('\n')
}

function spellPlace({ address, coinType }: SentencePlace): string {
  const chain = coinType === ETHEREUM ? 1 : coinType - EVM_CHAIN
  return `${address.toLowerCase()} on eip155:${chain}`
}

function spellSecond(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')
}
