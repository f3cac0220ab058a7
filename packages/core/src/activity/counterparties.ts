import { activeOwner } from '../account/owner.ts'
import { comparableAddress, lookAlike } from '../address/lookAlike.ts'
import { selectAccount } from '../chain/selectors.ts'
import type { ActivityTransaction, ActivityTransfer } from '../types/activity.ts'
import type { Contact } from '../types/contacts.ts'
import type { Hawser } from '../types/hawser.ts'
import { shownActivity } from './pages.ts'

/** Below this worth, in dollars, an incoming transfer says nothing about its sender. */
const DUST_USD = 0.1
/** An amount below a hundred-thousandth of a token, for tokens without a price: of Bitcoin, that is 1,000 satoshi. */
const dust = /^0*(?:\.(?:0*|0{5}\d*))?$/

/**
 * How an account dealt with another address, the surest first.
 *
 * - `own`: it is an address of the same wallet.
 * - `contact`: the visitor gave it a name.
 * - `sentTo`: the account sent something to it.
 * - `receivedFrom`: the account received something of worth from it. Anybody can bring that about.
 * - `suspect`: it only occurs in what costs an attacker nothing: transfers of nothing, of dust or of worthless tokens, and
 *   what the gateway takes for spam.
 */
export type Dealing = 'own' | 'contact' | 'sentTo' | 'receivedFrom' | 'suspect'

const surestFirst: readonly Dealing[] = ['own', 'contact', 'sentTo', 'receivedFrom', 'suspect']

/** Another address that an account dealt with. */
export interface Counterparty {
  readonly address: string
  readonly dealing: Dealing
  /** That of a contact. */
  readonly name?: string
}

/** The addresses that an account dealt with, by their form in which they are compared. */
export type Counterparties = ReadonlyMap<string, Counterparty>

/**
 * Returns the contacts, and whom the active account dealt with as far as its history on the active network was read.
 */
export function activeCounterparties(hawser: Hawser): Counterparties {
  const chain = hawser.chain.getState()
  const { address, allAccounts } = selectAccount(chain)
  const contacts = hawser.contacts.getState().list.filter(({ namespace }) => namespace === chain.activeChain)
  const activity = hawser.activity.getState()
  const history = activity.owner === activeOwner(hawser)?.caipAddress ? shownActivity(activity) : []
  const own = [...(address ? [address] : []), ...allAccounts.map((each) => each.address)]
  return counterpartiesOf(history, own, contacts)
}

/**
 * Returns the addresses that an account dealt with.
 *
 * @param history its transactions on one network.
 * @param own the addresses of its wallet, the account's among them.
 * @param contacts those of its namespace.
 */
export function counterpartiesOf(
  history: readonly ActivityTransaction[],
  own: readonly string[],
  contacts: readonly Contact[] = [],
): Counterparties {
  const known = new Map<string, Counterparty>()
  const add = (party: Counterparty) => {
    const key = comparableAddress(party.address)
    const before = known.get(key)
    if (!before || isSurer(party, before)) known.set(key, party)
  }
  for (const address of own) add({ address, dealing: 'own' })
  for (const { address, name } of contacts) add({ address, dealing: 'contact', name })
  for (const transaction of history) for (const party of partiesOf(transaction)) add(party)
  return known
}

function isSurer(party: Counterparty, than: Counterparty): boolean {
  return surestFirst.indexOf(party.dealing) < surestFirst.indexOf(than.dealing)
}

/** Why an address may be one that an attacker wants to be copied. */
export type Doubt =
  | {
      readonly kind: 'lookAlike'
      /** Whom it can be mistaken for. */
      readonly known: Counterparty
      /** False when the known one only paid as well: then either can be the attacker's. */
      readonly isKnownReal: boolean
    }
  | { readonly kind: 'suspect' }

/**
 * Returns why an address may be an attacker's; undefined without a doubt. Neither an address of the wallet, a contact nor one that the
 * account sent to is doubted. One that the account received from is: an attacker can pay for that.
 */
export function doubtAbout(address: string, counterparties: Counterparties): Doubt | undefined {
  const dealing = counterparties.get(comparableAddress(address))?.dealing
  if (isTrusted(dealing)) return undefined
  const known =
    imitated(address, counterparties, ['own', 'contact', 'sentTo']) ??
    imitated(address, counterparties, ['receivedFrom'])
  if (known) {
    const isKnownReal = known.dealing !== 'receivedFrom' || dealing !== 'receivedFrom'
    return { kind: 'lookAlike', known, isKnownReal }
  }
  return dealing === 'suspect' ? { kind: 'suspect' } : undefined
}

/** Reports whether an attacker cannot have brought a dealing about. */
export function isTrusted(dealing: Dealing | undefined): boolean {
  return dealing === 'own' || dealing === 'contact' || dealing === 'sentTo'
}

function imitated(
  address: string,
  counterparties: Counterparties,
  dealings: readonly Dealing[],
): Counterparty | undefined {
  const known = [...counterparties.values()].filter(({ dealing }) => dealings.includes(dealing))
  const found = lookAlike(
    address,
    known.map((party) => party.address),
  )
  return known.find((party) => party.address === found)
}

/** Reports whether a transaction is a poisoned transfer: it brings an address into the history that looks like another one. */
export function isPoisoned(transaction: ActivityTransaction, counterparties: Counterparties): boolean {
  return partiesOf(transaction).some(
    ({ address }) => doubtAbout(address, counterparties)?.kind === 'lookAlike',
  )
}

/** Returns the other parties of the transfers of a transaction. An allowance or a failed transaction moves nothing. */
function partiesOf(transaction: ActivityTransaction): readonly Counterparty[] {
  const { operationType, status } = transaction.metadata
  if (operationType === 'approve' || status === 'failed') return []
  return transaction.transfers.flatMap((transfer) => {
    const address = partyOf(transfer)
    const dealing = dealingOf(transfer, transaction.spam)
    return address && dealing && !/^0x0*$/.test(address) ? [{ address, dealing }] : []
  })
}

function partyOf({ direction, sender, recipient }: ActivityTransfer): string | undefined {
  return direction === 'in' ? sender : direction === 'out' ? recipient : undefined
}

function dealingOf(transfer: ActivityTransfer, isSpam: boolean): Dealing | undefined {
  if (isSpam || transfer.spam) return 'suspect'
  // What the account moved itself. Calls of contracts move nothing.
  if (transfer.direction === 'out') return /[1-9]/.test(transfer.quantity.numeric) ? 'sentTo' : undefined
  return isWorthless(transfer) ? 'suspect' : 'receivedFrom'
}

/** Reports whether a transfer brings nothing, dust, or a token that imitates another one, advertises or is taken for spam. */
function isWorthless({ fungibleInfo, nftInfo, value, quantity }: ActivityTransfer): boolean {
  if (nftInfo) return nftInfo.flags?.isSpam === true
  if (fungibleInfo?.warning) return true
  return value === undefined ? dust.test(quantity.numeric) : value < DUST_USD
}
