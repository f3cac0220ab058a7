import { messageOf } from '../errors/messageOf.ts'
import { toast } from '../errors/messages.ts'
import { failure } from '../errors/thrownMessages.ts'
import { isUserRejection, walletFailureMessage } from '../errors/walletFailure.ts'
import { namesClient } from '../gateway/clients.ts'
import { reportName } from '../modal/nameFlows.ts'
import type { Hawser } from '../types/hawser.ts'
import type { NameChange, NameDraft, NameFailure, NameRecord, NameTarget } from '../types/names.ts'
import { writtenRecords } from './attributes.ts'
import { changeReadiness } from './changeReadiness.ts'
import { coinTypeOf } from './coinType.ts'
import { isChanging, targetNetwork } from './editName.ts'
import { fetchIdentity } from './identity.ts'
import { isNameForm } from './normalName.ts'
import { chosenName, fetchOwnNames, forgetOwnNames } from './ownNames.ts'
import { refusalOf } from './refusal.ts'
import { resolveName } from './resolveName.ts'
import { activeSigner, NameError, type SignedText, type Signer, signText } from './signText.ts'
import type { NameIntent } from './statement.ts'
import { targetDoubt } from './targetDoubt.ts'

/** Accepts a name that was transferred to the account: it resolves to the account from then on, and may be shown. */
export async function acceptName(hawser: Hawser): Promise<boolean> {
  const { chosen, change } = hawser.ownNames.getState()
  if (!chosen || isChanging(change)) throw new NameError('A name is already being changed')
  const draft: NameDraft = { kind: 'accept' }
  hawser.ownNames.setState({ change: { name: chosen, draft, status: 'draft', failure: undefined } })
  return changeName(hawser)
}

/**
 * Saves the drafted change: the wallet signs a statement, and the gateway applies it. When either refuses, the draft
 * is kept and the state has the reason.
 *
 * @returns whether it was saved.
 * @throws NameError when there is no change that is ready, or no account to sign it.
 */
export async function changeName(hawser: Hawser): Promise<boolean> {
  const { change, record, signer } = requireReady(hawser)
  hawser.report({ kind: 'failureEnded' })
  const latest = hawser.latest.begin('ownNames:change')
  const { isCurrent, signal } = latest
  progress(hawser, { status: 'signing', failure: undefined, signing: undefined })
  try {
    const moved = await movedTarget(hawser, change.draft, signal)
    if (!isCurrent()) return false
    if (moved) {
      showMoved(hawser, moved)
      return false
    }
    const coinType = ownerCoinType(record, signer)
    const intent = intentOf(change, record, signer, coinType)
    const signed = await signText(hawser, signer, coinType, intent, {
      latest,
      onStatement: (signing) => progress(hawser, { signing }),
    })
    // Cancelled by the visitor or by a change of account.
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

/** Stops waiting for the wallet, as when its prompt was lost. A later signature changes nothing. */
export function stopChange(hawser: Hawser): void {
  if (hawser.ownNames.getState().change?.status !== 'signing') return
  hawser.latest.abandon('ownNames:change')
  progress(hawser, { status: 'draft' })
}

interface ReadyChange {
  readonly change: NameChange
  readonly record: NameRecord
  readonly signer: Signer
}

/**
 * Returns the drafted change, which is ready to be signed.
 *
 * @throws NameError
 */
function requireReady(hawser: Hawser): ReadyChange {
  const state = hawser.ownNames.getState()
  const { change } = state
  const record = chosenName(state)
  const signer = activeSigner(hawser)
  if (isChanging(change)) throw new NameError('A name is already being changed')
  if (!change || !record || change.name !== record.name) throw new NameError('There is no name to change')
  const readiness = changeReadiness(change, record, signer.address, targetDoubt(hawser, change.draft))
  if (readiness !== 'ready') throw new NameError(`The change is not ready: ${readiness}`)
  return { change, record, signer }
}

/**
 * Resolves a target that was typed as a name once more.
 *
 * @returns the new target if it differs from the reviewed one.
 */
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

/** Shows a changed target, which the visitor has to review again. */
function showMoved(hawser: Hawser, target: NameTarget): void {
  const moved: NameFailure = { by: 'gateway', ...toast('nameTargetMoved', target.text) }
  hawser.ownNames.setState(({ change }) => ({
    change: change && {
      ...change,
      draft: 'target' in change.draft ? { ...change.draft, target } : change.draft,
      status: 'draft',
      failure: moved,
    },
  }))
}

/**
 * Returns the coin type that the account owns the name by. A name that was transferred to it is owned on the one
 * chain that it resolves on.
 */
function ownerCoinType({ given, addresses }: NameRecord, { network }: Signer): number {
  const [only] = Object.keys(addresses)
  return given && only ? Number(only) : coinTypeOf(Number(network.id))
}

/** Returns what the statement says. */
function intentOf(
  { name, draft }: NameChange,
  record: NameRecord,
  signer: Signer,
  coinType: number,
): NameIntent {
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

/** Reads the names again and reports the change. */
async function succeed(hawser: Hawser, { name, draft }: NameChange, isCurrent: () => boolean): Promise<void> {
  forgetOwnNames(hawser)
  if (!isCurrent()) return
  await Promise.all([fetchOwnNames(hawser), fetchIdentity(hawser, { bypassCache: true })])
  if (!isCurrent()) return
  hawser.ownNames.setState({ change: undefined })
  reportName(hawser, {
    kind: 'nameChanged',
    change: draft.kind,
    ...toast(`nameChanged.${draft.kind}`, name),
  })
}

function fail(hawser: Hawser, { draft }: NameChange, error: unknown): void {
  const found = failureOf(error)
  progress(hawser, { status: 'draft', failure: found })
  reportName(hawser, {
    kind: 'nameChangeFailed',
    change: draft.kind,
    ...messageOf(found),
    isDeclined: found.by === 'person',
  })
}

function failureOf(error: unknown): NameFailure {
  if (isUserRejection(error)) return { by: 'person', ...toast('signatureDeclined') }
  return { by: 'gateway', ...walletFailureMessage(error, refusalOf(error) ?? failure('nameChangeFailed')) }
}

function progress(hawser: Hawser, step: Partial<Pick<NameChange, 'status' | 'failure' | 'signing'>>): void {
  hawser.ownNames.setState(({ change }) => ({ change: change && { ...change, ...step } }))
}
