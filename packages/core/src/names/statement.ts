/** The action of a signed statement. */
type NameAction = 'register' | 'records' | 'address' | 'transfer' | 'release'

/** An account on one chain. */
interface StatementAccount {
  /** 0x and 40 hex digits of any case. */
  readonly address: string
  /** Of an EVM chain (ENSIP-11). */
  readonly coinType: number
}

/** A signed statement: which account changes which name how, and until when. */
export interface Statement extends NameIntent {
  /** Identity of the gateway that the statement is for, as the gateway reports it. */
  readonly installation: string
  readonly account: StatementAccount
  /** Unix seconds. */
  readonly issued: number
  /** Unix seconds, an hour later at most. */
  readonly expires: number
  /** 32 hex digits, unique to the statement. */
  readonly code: string
}

/** A change of a name. */
export interface NameIntent {
  readonly action: NameAction
  readonly name: string
  /** The new address or the new owner. */
  readonly target?: StatementAccount | undefined
  /** Records by key. */
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
 * Formats a statement for signing. The gateway formats the same bytes from what it parses, or refuses them.
 *
 * @throws RangeError for a value with line breaks or control characters.
 */
export function formatStatement(sentence: Statement): string {
  const { installation, action, name, account, target, records = {}, issued, expires, code } = sentence
  const lines = [
    `Hawser names at ${installation}: ${verbs[action]} ${name}`,
    '',
    `Account: ${formatAccount(account)}`,
    ...(target ? [`${action === 'transfer' ? 'New owner' : 'Address'}: ${formatAccount(target)}`] : []),
    ...Object.keys(records)
      .sort()
      .map((key) => `Record ${key}: ${records[key]}`),
    `Issued: ${formatTime(issued)}`,
    `Expires: ${formatTime(expires)}`,
    `Code: ${code}`,
  ]
  if (lines.some((line) => /[\p{Cc}\u2028\u2029]/u.test(line)))
    throw new RangeError('A line holds control characters')
  return lines.join('\n')
}

function formatAccount({ address, coinType }: StatementAccount): string {
  const chain = coinType === ETHEREUM ? 1 : coinType - EVM_CHAIN
  return `${address.toLowerCase()} on eip155:${chain}`
}

function formatTime(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')
}
