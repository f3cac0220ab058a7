import { toasts } from '../errors/catalogue.ts'
import { thrown } from '../errors/thrown.ts'
import { isUserRejection, walletMessage } from '../errors/walletFailure.ts'
import { namesClient } from '../gateway/clients.ts'
import type { Hawser } from '../types/hawser.ts'
import type { NameChange, NameDraft, NameFailure, NameRecord, NameTarget } from '../types/names.ts'
import { writtenRecords } from './attributes.ts'
import { changeReadiness } from './changeReadiness.ts'
import { coinTypeOf } from './coinType.ts'
import { isChanging, targetNetwork } from './editName.ts'
import { fetchIdentity } from './identity.ts'
import { chosenName, fetchOwnNames, forgetOwnNames } from './ownNames.ts'
import { isNameForm } from './readiness.ts'
import { resolveName } from './resolveName.ts'
import type { NameWish } from './sentence.ts'
import { activeSigner, NameError, refusalReason, type SignedText, type Signer, signText } from './signText.ts'

/** Takes the chosen name, which the account was given, for its own: it leads here, and may be shown. */
export async function acceptName(hawser: Hawser): Promise<boolean> {
  const { chosen, change } = hawser.ownNames.getState()
  if (!chosen || isChanging(change)) throw new NameError('A name is already being changed')
  const draft: NameDraft = { kind: 'accept' }
  hawser.ownNames.setState({ change: { name: chosen, draft, status: 'draft', failure: undefined } })
  return changeName(hawser)
}

/**
 * Makes the change that was written: the wallet signs one text that says it, the gateway makes it so. When either says
 * no, the draft stays as it is and the state says why.
 *
 * @returns whether it was made.
 * @throws NameError when there is nothing ready to be changed, or nobody to sign it.
 */
export async function changeName(hawser: Hawser): Promise<boolean> {
  const { change, record, signer } = placeOrder(hawser)
  hawser.report({ kind: 'failureEnded' })
  const { isCurrent, signal } = hawser.latest.begin('ownNames:change')
  progress(hawser, { status: 'signing', failure: undefined })
  try {
    const moved = await movedTarget(hawser, change.draft, signal)
    if (!isCurrent()) return false
    if (moved) {
      showMoved(hawser, moved)
      return false
    }
    const coinType = ownerCoinType(record, signer)
    const signed = await signText(hawser, signer, coinType, wishOf(change, record, signer, coinType))
    // Whoever gave up waiting, or left with the account, does not want it any more.
    if (!isCurrent()) return false
    progress(hawser, { status: 'saving' })
    await post(hawser, change, signed)
  } catch (error) {
    if (isCurrent()) fail(hawser, change, error)
    return false
  }
  await succeed(hawser, change, isCurrent)
  return true
}

/** Waits for the wallet no longer, as when its prompt was lost: what it signs after that changes nothing. */
export function stopChange(hawser: Hawser): void {
  if (hawser.ownNames.getState().change?.status !== 'signing') return
  hawser.latest.abandon('ownNames:change')
  progress(hawser, { status: 'draft' })
}

interface Order {
  readonly change: NameChange
  readonly record: NameRecord
  readonly signer: Signer
}

/** @throws NameError */
function placeOrder(hawser: Hawser): Order {
  const state = hawser.ownNames.getState()
  const { change } = state
  const record = chosenName(state)
  const signer = activeSigner(hawser)
  if (isChanging(change)) throw new NameError('A name is already being changed')
  if (!change || !record || change.name !== record.name) throw new NameError('There is no name to change')
  const readiness = changeReadiness(change, record, signer.address)
  if (readiness !== 'ready') throw new NameError(`The change is not ready: ${readiness}`)
  return { change, record, signer }
}

/** An account that was typed as a name is looked up once more: what it is now, if it is another. */
async function movedTarget(
  hawser: Hawser,
  draft: NameDraft,
  signal: AbortSignal,
): Promise<NameTarget | undefined> {
  const network = targetNetwork(hawser)
  if (!('target' in draft) || !network || !isNameForm(draft.target.text)) return undefined
  const { text, address: reviewed } = draft.target
  const { status, address } = await resolveName(hawser, text, network, signal)
  if (address === reviewed) return undefined
  return { text, status: status === 'found' ? 'valid' : status, address }
}

/** The visitor looks at the new address before they confirm it. */
function showMoved(hawser: Hawser, target: NameTarget): void {
  const failure: NameFailure = { by: 'gateway', reason: toasts.nameTargetMoved(target.text) }
  hawser.ownNames.setState(({ change }) => ({
    change: change && {
      ...change,
      draft: 'target' in change.draft ? { ...change.draft, target } : change.draft,
      status: 'draft',
      failure,
    },
  }))
}

/**
 * The coin type of the chain that the account signs on. A name that was given belongs to it on the one chain that the
 * name leads to.
 */
function ownerCoinType({ given, addresses }: NameRecord, { network }: Signer): number {
  const [only] = Object.keys(addresses)
  return given && only ? Number(only) : coinTypeOf(Number(network.id))
}

/** What the wallet shows and signs. */
function wishOf({ name, draft }: NameChange, record: NameRecord, signer: Signer, coinType: number): NameWish {
  switch (draft.kind) {
    case 'records':
      return {
        action: 'records',
        name,
        records: writtenRecords({ ...record.attributes, ...draft.attributes }),
      }
    case 'address':
      return { action: 'address', name, target: { address: draft.target.address, coinType: draft.coinType } }
    case 'transfer': {
      const target = { address: draft.target.address, coinType: coinTypeOf(Number(signer.network.id)) }
      return { action: 'transfer', name: record.name, target }
    }
    case 'release':
      return { action: 'release', name }
    case 'accept':
      return { action: 'address', name, target: { address: signer.address, coinType } }
  }
}

async function post(hawser: Hawser, { name, draft }: NameChange, signed: SignedText): Promise<void> {
  const names = await namesClient(hawser)
  const request = { name, ...signed }
  switch (draft.kind) {
    case 'records':
      await names.setAttributes(request)
      return
    case 'address':
    case 'accept':
      await names.setAddress(request)
      return
    case 'transfer':
      await names.transferName(request)
      return
    case 'release':
      await names.releaseName(request)
  }
}

/** Reads what is true now, and leaves the form. */
async function succeed(hawser: Hawser, { name, draft }: NameChange, isCurrent: () => boolean): Promise<void> {
  forgetOwnNames(hawser)
  if (!isCurrent()) return
  await Promise.all([fetchOwnNames(hawser), fetchIdentity(hawser, { afresh: true })])
  if (!isCurrent()) return
  hawser.ownNames.setState({ change: undefined })
  hawser.report({ kind: 'nameChanged', change: draft.kind, message: toasts.nameChanged[draft.kind](name) })
}

function fail(hawser: Hawser, { draft }: NameChange, error: unknown): void {
  const failure = failureOf(error)
  progress(hawser, { status: 'draft', failure })
  hawser.report({
    kind: 'nameChangeFailed',
    change: draft.kind,
    message: failure.reason,
    isDeclined: failure.by === 'person',
  })
}

function failureOf(error: unknown): NameFailure {
  if (isUserRejection(error)) return { by: 'person', reason: toasts.signatureDeclined }
  return { by: 'gateway', reason: walletMessage(error, refusalReason(error) ?? thrown.nameChangeFailed) }
}

function progress(hawser: Hawser, step: Partial<Pick<NameChange, 'status' | 'failure'>>): void {
  hawser.ownNames.setState(({ change }) => ({ change: change && { ...change, ...step } }))
}
