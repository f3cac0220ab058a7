import type { TypedDataDefinition } from 'viem'
import { isKnownCode } from '../smartAccount/pinned.ts'
import type { ApprovalView, CallView } from './approvalView.ts'
import { isSessionProof, SESSIONS_DOMAIN } from './sessionProof.ts'

/** The sentences in English, by their names in `hawser.preview.v1.Phrase`. The service does not have the last two. */
const sentences = {
  OTHER_SITE: 'This signs in at {value}, which is not the site that requests it.',
  BLIND: 'What this signs cannot be shown. It could be anything.',
  SIGNED_APPROVAL: 'This signature alone lets {value} take tokens. No transaction of yours is needed.',
  APPROVAL_FOR_ALL: '{value} could take every token of this collection, at any time.',
  DELEGATION: '{value} could act for your account.',
  BORROWS: '{value} could borrow in your name. The debt would be yours.',
  OPERATION: 'This signature lets anyone send these calls for your account.',
  ORDER: 'This offers what you own for sale. Check what you would receive.',
  UNKNOWN_CODE: 'Your account would run code that is not known. It could take all that you own.',
  TAKES: 'This lets {value} take tokens of yours.',
  SENDS: 'This sends tokens of yours to {value}.',
} as const

type Phrase = keyof typeof sentences

/** A warning of the frame, in the form of those of a preview. */
export interface LocalWarning {
  readonly severity: 'SEVERITY_DANGER' | 'SEVERITY_CAUTION'
  readonly phrase: `PHRASE_${Phrase}`
  readonly text: string
  /** Account or domain; empty without. */
  readonly value: string
}

/** Typed data that gives rights, by its primary type: what is said of it, and the members of which one names who gets them. */
const statements: Readonly<Record<string, readonly [Phrase, ...string[]]>> = {
  Permit: ['SIGNED_APPROVAL', 'spender'],
  PermitSingle: ['SIGNED_APPROVAL', 'spender'],
  PermitBatch: ['SIGNED_APPROVAL', 'spender'],
  PermitTransferFrom: ['SIGNED_APPROVAL', 'spender'],
  PermitBatchTransferFrom: ['SIGNED_APPROVAL', 'spender'],
  PermitWitnessTransferFrom: ['SIGNED_APPROVAL', 'spender'],
  PermitBatchWitnessTransferFrom: ['SIGNED_APPROVAL', 'spender'],
  PermitForAll: ['APPROVAL_FOR_ALL', 'operator'],
  TransferWithAuthorization: ['SIGNED_APPROVAL', 'to'],
  ReceiveWithAuthorization: ['SIGNED_APPROVAL', 'to'],
  Delegation: ['DELEGATION', 'delegate'],
  Authorization: ['DELEGATION', 'manager', 'authorized'],
  DelegationWithSig: ['BORROWS', 'delegatee'],
  PackedUserOperation: ['OPERATION'],
  UserOperation: ['OPERATION'],
  SafeTx: ['OPERATION'],
  SafeOp: ['OPERATION'],
  MetaTransaction: ['OPERATION'],
  ForwardRequest: ['OPERATION'],
  OrderComponents: ['ORDER'],
  BulkOrder: ['ORDER'],
  Order: ['ORDER'],
  LimitOrder: ['ORDER'],
  RfqOrder: ['ORDER'],
  OtcOrder: ['ORDER'],
  OrderRFQ: ['ORDER'],
  // Blur signs only the root of a tree of orders.
  Root: ['BLIND'],
}

/** Functions of tokens, of Permit2, of ERC-777 and ERC-6909 and of lenders, by selector: what is said of a call, and the words of its data with the account and the amount. */
const functions: Readonly<Record<string, readonly [Phrase, account: number, amount?: number]>> = {
  '0x095ea7b3': ['TAKES', 0, 1],
  '0x39509351': ['TAKES', 0, 1],
  '0xd73dd623': ['TAKES', 0, 1],
  '0x87517c45': ['TAKES', 1, 2],
  '0xd505accf': ['TAKES', 1, 2],
  '0x8fcbaf0c': ['TAKES', 1],
  '0x959b8c3f': ['TAKES', 0],
  '0xa22cb465': ['APPROVAL_FOR_ALL', 0, 1],
  '0x558a7297': ['APPROVAL_FOR_ALL', 0, 1],
  '0x426a8493': ['TAKES', 0, 2],
  '0x110496e5': ['DELEGATION', 0, 1],
  '0xeecea000': ['DELEGATION', 0, 1],
  '0xc04a8a10': ['BORROWS', 0, 1],
  '0xa9059cbb': ['SENDS', 0, 1],
  '0x23b872dd': ['SENDS', 1],
  '0x42842e0e': ['SENDS', 1],
  '0xb88d4fde': ['SENDS', 1],
  '0xf242432a': ['SENDS', 1],
  '0x2eb2c2d6': ['SENDS', 1],
  '0x36c78516': ['SENDS', 1, 2],
}

/** The size of a hash as hexadecimal text. A site can try inputs until the bytes of their hash are text. */
const HASH_LENGTH = 66

const SIGN_IN = /^(?:[a-z][a-z\d+.-]*:\/\/)?(\S+) wants you to sign in with your \w+ account:/i

/** Returns what can be said of a request without a node: the least that is shown while the service of previews does not answer. */
export function localWarnings({ site, chainId, content }: ApprovalView): readonly LocalWarning[] {
  switch (content.kind) {
    case 'message':
      return content.text === undefined || content.hex.length === HASH_LENGTH
        ? [warningOf('BLIND')]
        : ofMessage(content.text, site)
    case 'typedData':
      return ofTypedData(content.data, site)
    case 'calls':
      return [...codeWarnings(chainId, content.delegate), ...content.calls.flatMap(ofCall)]
    case 'revocation':
      return codeWarnings(chainId, content.operation?.delegate)
    // Their instructions are shown with what is dangerous about each.
    case 'solanaTransactions':
      return []
  }
}

/** Returns the warning of code that an account is to run (EIP-7702), unless it is that of this build. */
export function codeWarnings(chainId: string, delegate: string | undefined): readonly LocalWarning[] {
  return delegate && !isKnownCode(chainId, delegate) ? [warningOf('UNKNOWN_CODE')] : []
}

function ofMessage(text: string, site: string): readonly LocalWarning[] {
  const domain = SIGN_IN.exec(text)?.[1]
  const isOther = domain !== undefined && domain.toLowerCase() !== new URL(site).host
  return isOther ? [warningOf('OTHER_SITE', domain)] : []
}

function ofTypedData(
  { domain, primaryType, message }: TypedDataDefinition,
  site: string,
): readonly LocalWarning[] {
  if (isSessionProof(domain)) return ofSessionProof(domain?.name ?? '', site)
  const [phrase, ...members] = (Object.hasOwn(statements, primaryType) && statements[primaryType]) || []
  const fields = message as Readonly<Record<string, unknown>>
  const value = members.map((member) => fields[member]).find((named) => named !== undefined)
  return phrase ? [warningOf(phrase, typeof value === 'string' ? value : '')] : []
}

/** Returns the warning of a proof that lists the sessions of the account. Sites request it for the service that they use, which may have an origin of its own. */
function ofSessionProof(name: string, site: string): readonly LocalWarning[] {
  const origin = name.slice(SESSIONS_DOMAIN.length)
  return origin === site ? [] : [{ ...warningOf('OTHER_SITE', origin), severity: 'SEVERITY_CAUTION' }]
}

function ofCall({ data }: CallView): readonly LocalWarning[] {
  const [phrase, account = 0, amount] = functions[data.slice(0, 10).toLowerCase()] ?? []
  const word = (at: number) => data.slice(10 + 64 * at, 74 + 64 * at)
  if (!phrase || (amount !== undefined && /^0{64}$/.test(word(amount)))) return []
  return [warningOf(phrase, word(account).length === 64 ? `0x${word(account).slice(24)}` : '')]
}

function warningOf(phrase: Phrase, value = ''): LocalWarning {
  return {
    severity: phrase === 'SENDS' ? 'SEVERITY_CAUTION' : 'SEVERITY_DANGER',
    phrase: `PHRASE_${phrase}`,
    text: sentences[phrase].replace('{value}', () => value || 'an account that is not known'),
    value,
  }
}
