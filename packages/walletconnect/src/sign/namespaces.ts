import { SignError, signErrorCode } from './errors.ts'

/** What a site requests of one namespace (CAIP-25). The key is a namespace such as `eip155`, or one chain (CAIP-2). */
export interface ProposedNamespace {
  /** CAIP-2; may be absent when the key is a chain. */
  readonly chains?: readonly string[]
  readonly methods: readonly string[]
  readonly events: readonly string[]
}

/** What a wallet approves of one namespace. */
export interface ApprovedNamespace extends ProposedNamespace {
  /** CAIP-10. */
  readonly accounts: readonly string[]
}

export type ProposedNamespaces = Readonly<Record<string, ProposedNamespace>>
export type ApprovedNamespaces = Readonly<Record<string, ApprovedNamespace>>

const NAMESPACE = /^[-a-z0-9]{3,8}$/
const CHAIN = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/
const ACCOUNT = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}:[-.%a-zA-Z0-9]{1,128}$/

/** Returns the chain (CAIP-2) of an account (CAIP-10). */
export function chainOf(account: string): string {
  return account.slice(0, account.lastIndexOf(':'))
}

/** Returns the chains of an approved namespace: those of its accounts. */
function chainsOf({ accounts }: ApprovedNamespace): readonly string[] {
  return [...new Set(accounts.map(chainOf))]
}

/**
 * Validates the namespaces that a site proposes.
 *
 * @throws SignError with code 5100 or 5104.
 */
export function validateProposal(namespaces: ProposedNamespaces): void {
  for (const [key, proposed] of Object.entries(namespaces)) {
    validateKey(key)
    validateLists(key, proposed)
    const isChain = CHAIN.test(key)
    if (!isChain && !proposed.chains?.length) {
      throw new SignError(signErrorCode.unsupportedChains, `${key}: chains must not be empty`)
    }
    for (const chain of proposed.chains ?? []) {
      if (typeof chain !== 'string' || !CHAIN.test(chain)) {
        throw new SignError(signErrorCode.unsupportedChains, `${key}: chains must be CAIP-2`)
      }
      if (isChain ? chain !== key : !chain.startsWith(`${key}:`)) {
        throw new SignError(signErrorCode.unsupportedChains, `${key}: chain of another namespace`)
      }
    }
  }
}

/**
 * Validates the namespaces that a wallet approves against those that the site requires.
 *
 * @throws SignError with code 5000 to 5003, 5103 or 5104.
 */
export function validateApproval(approved: ApprovedNamespaces, required: ProposedNamespaces = {}): void {
  for (const [key, namespace] of Object.entries(approved)) {
    validateKey(key)
    validateLists(key, namespace)
    validateAccounts(key, namespace)
  }
  for (const [key, wanted] of Object.entries(required)) {
    const given = approvedFor(key, approved)
    if (given.length === 0) throw new SignError(signErrorCode.userRejected, `${key}: not approved`)
    const chains = new Set(given.flatMap(chainsOf))
    const wantedChains = CHAIN.test(key) ? [key] : (wanted.chains ?? [])
    if (!wantedChains.every((chain) => chains.has(chain))) {
      throw new SignError(signErrorCode.userRejectedChains, `${key}: every chain needs an account`)
    }
    if (!includesAll(given, 'methods', wanted)) {
      throw new SignError(signErrorCode.userRejectedMethods, `${key}: every method must be approved`)
    }
    if (!includesAll(given, 'events', wanted)) {
      throw new SignError(signErrorCode.userRejectedEvents, `${key}: every event must be approved`)
    }
  }
}

/** Reports whether a session allows a method or an event on a chain. */
export function allows(
  approved: ApprovedNamespaces,
  kind: 'methods' | 'events',
  name: string,
  chainId: string,
): boolean {
  return Object.values(approved).some(
    (namespace) => chainsOf(namespace).includes(chainId) && namespace[kind].includes(name),
  )
}

/** Returns all accounts of a session, in the wallet's order. */
export function accountsOf(approved: ApprovedNamespaces): readonly string[] {
  return [...new Set(Object.values(approved).flatMap(({ accounts }) => accounts))]
}

/** Returns the approved namespaces that may satisfy a proposed one: its namespace and the chains in it. */
function approvedFor(key: string, approved: ApprovedNamespaces): ApprovedNamespace[] {
  const [namespace = ''] = key.split(':')
  return Object.entries(approved)
    .filter(([other]) => other === key || other === namespace || other.startsWith(`${key}:`))
    .map(([, given]) => given)
}

function includesAll(
  given: readonly ApprovedNamespace[],
  kind: 'methods' | 'events',
  wanted: ProposedNamespace,
): boolean {
  return wanted[kind].every((name) => given.some((namespace) => namespace[kind].includes(name)))
}

function validateKey(key: string): void {
  if (!NAMESPACE.test(key) && !CHAIN.test(key)) {
    throw new SignError(signErrorCode.unsupportedNamespaceKey, 'a namespace must be CAIP-2')
  }
}

function validateLists(key: string, { methods, events }: ProposedNamespace): void {
  if (!isTexts(methods))
    throw new SignError(signErrorCode.unsupportedMethods, `${key}: methods must be a list`)
  if (!isTexts(events)) throw new SignError(signErrorCode.unsupportedEvents, `${key}: events must be a list`)
}

function validateAccounts(key: string, { accounts }: ApprovedNamespace): void {
  if (!isTexts(accounts) || accounts.length === 0) {
    throw new SignError(signErrorCode.userRejectedChains, `${key}: accounts must not be empty`)
  }
  if (!accounts.every((account) => ACCOUNT.test(account))) {
    throw new SignError(signErrorCode.userRejectedChains, `${key}: accounts must be CAIP-10`)
  }
  if (!accounts.every((account) => account.startsWith(`${key}:`))) {
    throw new SignError(signErrorCode.unsupportedAccounts, `${key}: account of another namespace`)
  }
}

function isTexts(list: unknown): list is readonly string[] {
  return Array.isArray(list) && list.every((entry) => typeof entry === 'string')
}
