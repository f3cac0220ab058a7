/** A sign-in message: ERC-4361 for accounts of `eip155`, CAIP-122 for those of the other namespaces. */
export interface SignInMessage {
  /** RFC 3986 authority of the page, such as `app.example.com`; with `https://` in front if `scheme` is set. */
  readonly domain: string
  readonly scheme?: string
  readonly namespace: 'eip155' | 'solana' | 'bip122' | 'polkadot'
  /** With its checksum (ERC-55) on `eip155`. */
  readonly address: string
  /** One line for the signer. */
  readonly statement?: string
  /** RFC 3986 URI of the page. */
  readonly uri: string
  readonly version: '1'
  /** CAIP-2 reference, such as `1`, or a whole CAIP-2 id. */
  readonly chainId: string
  /** At least 8 letters and digits. */
  readonly nonce: string
  /** RFC 3339, like the two below. */
  readonly issuedAt: string
  readonly expirationTime?: string
  readonly notBefore?: string
  readonly requestId?: string
  /** RFC 3986 URIs. */
  readonly resources?: readonly string[]
}

/** A text that is not a sign-in message. */
export class MessageError extends Error {
  override readonly name = 'MessageError'
}

const MAX_LENGTH = 8192
const BLOCKCHAINS = { eip155: 'Ethereum', solana: 'Solana', bip122: 'Bitcoin', polkadot: 'Polkadot' } as const
const FIELDS = [
  ['URI', 'uri'],
  ['Version', 'version'],
  ['Chain ID', 'chainId'],
  ['Nonce', 'nonce'],
  ['Issued At', 'issuedAt'],
  ['Expiration Time', 'expirationTime'],
  ['Not Before', 'notBefore'],
  ['Request ID', 'requestId'],
] as const

/** Formats the text that the account signs. */
export function formatMessage(message: SignInMessage): string {
  const { scheme, domain, namespace, address, statement, resources } = message
  const from = scheme ? `${scheme}://${domain}` : domain
  const lines = [`${from} wants you to sign in with your ${BLOCKCHAINS[namespace]} account:`, address, '']
  if (statement) lines.push(statement)
  lines.push('')
  for (const [name, field] of FIELDS) {
    if (message[field]) lines.push(`${name}: ${message[field]}`)
  }
  if (resources) lines.push('Resources:', ...resources.map((resource) => `- ${resource}`))
  return lines.join('\n')
}

/**
 * Parses a sign-in message. It accepts exactly the texts that `formatMessage` writes for valid fields.
 *
 * @throws MessageError for any other text.
 */
export function parseMessage(text: string): SignInMessage {
  if (new TextEncoder().encode(text).length > MAX_LENGTH) throw new MessageError('The text is too long')
  const lines = text.split('\n')
  const head =
    /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\S+) wants you to sign in with your (Ethereum|Solana|Bitcoin|Polkadot) account:$/.exec(
      lines.shift() ?? '',
    )
  if (!head) throw new MessageError('The first line is not that of a sign-in message')
  const [, scheme, domain = '', blockchain] = head
  const address = lines.shift() ?? ''
  if (lines.shift() !== '') throw new MessageError('There is no empty line after the address')
  const statement = lines.shift()
  if (statement && lines.shift() !== '') throw new MessageError('There is no empty line after the statement')
  const message = {
    ...(scheme && { scheme }),
    domain,
    namespace: Object.entries(BLOCKCHAINS).find(([, name]) => name === blockchain)?.[0],
    address,
    ...(statement && { statement }),
    ...readFields(lines),
  } as SignInMessage
  if (formatMessage(message) !== text) throw new MessageError('The lines are not in the expected order')
  const fault = faultOf(message, text)
  if (fault) throw new MessageError(`The ${fault} is not valid`)
  return message
}

/** Reads the lines below the head, in whatever order. */
function readFields(lines: readonly string[]): Partial<SignInMessage> {
  const fields: Record<string, string | string[]> = {}
  const resourcesAt = lines.indexOf('Resources:')
  const single = resourcesAt < 0 ? lines : lines.slice(0, resourcesAt)
  for (const line of single) {
    const [name = ''] = line.split(': ', 1)
    const field = FIELDS.find(([known]) => known === name)?.[1]
    if (!field) throw new MessageError('There is a line that is not known')
    fields[field] = line.slice(name.length + 2)
  }
  if (resourcesAt >= 0) {
    fields.resources = lines.slice(resourcesAt + 1).map((line) => line.slice('- '.length))
  }
  return fields
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a message holds none beside its line feeds.
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/
const TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

/** @returns what is wrong with a message; undefined if nothing is. */
function faultOf(message: SignInMessage, text: string): string | undefined {
  const { address, namespace, uri, version, nonce, issuedAt, expirationTime, notBefore, resources } = message
  const chain = (message.chainId ?? '').replace(`${namespace}:`, '')
  const chainForm = namespace === 'eip155' ? /^[1-9]\d{0,31}$/ : /^[-\w]{1,32}$/
  if (CONTROL.test(text)) return 'text'
  if (!isAuthority(message.domain)) return 'domain'
  if (!address || /\s/.test(address)) return 'address'
  if (!isUri(uri)) return 'URI'
  if (version !== '1') return 'version'
  if (!chainForm.test(chain)) return 'chain id'
  if (!/^[a-zA-Z0-9]{8,128}$/.test(nonce ?? '')) return 'nonce'
  if (!issuedAt || [issuedAt, expirationTime, notBefore].some((time) => time !== undefined && !isTime(time)))
    return 'time'
  return resources?.every(isUri) === false ? 'resource' : undefined
}

function isTime(text: string): boolean {
  return TIME.test(text) && !Number.isNaN(Date.parse(text))
}

function isAuthority(text: string): boolean {
  try {
    const { username, pathname, search, hash } = new URL(`https://${text}`)
    return username === '' && pathname === '/' && search === '' && hash === '' && !/[/?#@\\]/.test(text)
  } catch {
    return false
  }
}

function isUri(text: string | undefined): boolean {
  return text !== undefined && /^[a-zA-Z][a-zA-Z0-9+.-]*:[^\s]*$/.test(text)
}
