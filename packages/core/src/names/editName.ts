import { activeOwner } from '../account/owner.ts'
import { adapterOf } from '../chain/adapters.ts'
import { toast } from '../errors/messages.ts'
import type { Latest } from '../latestOnly.ts'
import { NAME_DEBOUNCE_MS } from '../limits.ts'
import { reportName } from '../modal/nameFlows.ts'
import type { Hawser } from '../types/hawser.ts'
import type { NameChange, NameDraft, NameTarget } from '../types/names.ts'
import type { Network } from '../types/network.ts'
import { coinTypeOf } from './coinType.ts'
import { isNameForm, shownName } from './normalName.ts'
import { fetchOwnNames, forgetOwnNames } from './ownNames.ts'
import { resolveName } from './resolveName.ts'
import { readCompared } from './targetDoubt.ts'

const noTarget: NameTarget = { text: '', status: 'empty', address: '' }

/** Opens the form of the selected name's records. */
export function editRecords(hawser: Hawser): void {
  edit(hawser, { kind: 'records', attributes: {} }, () => true)
}

/** Opens the form of the selected name's address for a coin type (ENSIP-11). */
export function editAddress(hawser: Hawser, coinType: number): void {
  edit(
    hawser,
    { kind: 'address', coinType, target: noTarget },
    (draft) => draft.kind === 'address' && draft.coinType === coinType,
  )
}

/** Opens the form to transfer the selected name. */
export function editTransfer(hawser: Hawser): void {
  edit(hawser, { kind: 'transfer', target: noTarget }, () => true)
}

/** Opens the form to release the selected name. */
export function editRelease(hawser: Hawser): void {
  edit(hawser, { kind: 'release', typed: '' }, () => true)
}

/** Reports whether a change is being signed or saved; it must not be edited then. */
export function isChanging(change: NameChange | undefined): boolean {
  return change !== undefined && change.status !== 'draft'
}

/** Sets the drafted record of a key. */
export function setRecord(hawser: Hawser, key: string, text: string): void {
  write(hawser, (draft) =>
    draft.kind === 'records' ? { ...draft, attributes: { ...draft.attributes, [key]: text } } : draft,
  )
}

/** Sets the name that must be typed before it is released. */
export function setTypedName(hawser: Hawser, typed: string): void {
  write(hawser, (draft) => (draft.kind === 'release' ? { ...draft, typed } : draft))
}

/**
 * Sets the target of an address or a transfer: an address, or a name that is resolved once typing stops for half a
 * second.
 */
export async function setNameTarget(hawser: Hawser, typed: string): Promise<void> {
  const text = typed.trim()
  const latest = hawser.latest.begin('ownNames:target')
  const network = targetNetwork(hawser)
  if (network && isNameForm(text)) {
    await resolveTarget(hawser, shownName(text), network, latest)
    return
  }
  writeTarget(hawser, { text, status: text === '' ? 'empty' : 'unchecked', address: text })
  if (text === '') return
  const isAddress = await checkAddress(hawser, text)
  if (isAddress) await readCompared(hawser)
  if (latest.isCurrent())
    writeTarget(hawser, { text, status: isAddress ? 'valid' : 'invalid', address: text })
}

/** Chooses the target although it may be an attacker's. */
export function chooseNameTarget(hawser: Hawser): void {
  write(hawser, (draft) =>
    'target' in draft ? { ...draft, target: { ...draft.target, isChosen: true } } : draft,
  )
}

/** Resolves the typed name again. */
export async function retryNameTarget(hawser: Hawser): Promise<void> {
  const { change } = hawser.ownNames.getState()
  if (change && 'target' in change.draft) await setNameTarget(hawser, change.draft.target.text)
}

/**
 * Returns the network of the drafted address; undefined when the site does not list it: names cannot be resolved
 * then.
 */
export function targetNetwork(hawser: Hawser): Network | undefined {
  const { change, networks } = hawser.ownNames.getState()
  if (change?.draft.kind !== 'address') return activeOwner(hawser)?.network
  const { coinType } = change.draft
  return networks.find(({ id }) => coinTypeOf(Number(id)) === coinType)
}

/**
 * Opens a form. An existing draft of the same kind is continued; a change that is being signed or saved is not
 * replaced.
 */
function edit(hawser: Hawser, draft: NameDraft, isSame: (before: NameDraft) => boolean): void {
  const { chosen, change } = hawser.ownNames.getState()
  if (!chosen) return
  const isKept = change?.name === chosen && change.draft.kind === draft.kind && isSame(change.draft)
  if (!isKept && isChanging(change)) {
    hawser.report({ kind: 'nameChangeBlocked', ...toast('nameChanging') })
    return
  }
  if (!isKept) {
    hawser.latest.abandon('ownNames:target')
    hawser.ownNames.setState({ change: { name: chosen, draft, status: 'draft', failure: undefined } })
    // The signed records replace all existing ones, so the newest are read.
    forgetOwnNames(hawser)
    void fetchOwnNames(hawser)
  }
  reportName(hawser, { kind: 'nameChangeOpened', change: draft.kind })
}

function write(hawser: Hawser, change: (draft: NameDraft) => NameDraft): void {
  hawser.ownNames.setState((state) => {
    if (!state.change || isChanging(state.change)) return state
    return { change: { ...state.change, draft: change(state.change.draft), failure: undefined } }
  })
}

function writeTarget(hawser: Hawser, target: NameTarget): void {
  write(hawser, (draft) => ('target' in draft ? { ...draft, target } : draft))
}

async function resolveTarget(hawser: Hawser, text: string, network: Network, latest: Latest): Promise<void> {
  writeTarget(hawser, { text, status: 'resolving', address: '' })
  await new Promise<void>((rested) => hawser.clock.after(NAME_DEBOUNCE_MS, rested))
  if (!latest.isCurrent()) return
  try {
    const answer = await resolveName(hawser, text, network, latest.signal)
    const { status, address } = answer
    const isAddress = status === 'found' && (await checkAddress(hawser, address))
    if (isAddress) await readCompared(hawser)
    if (!latest.isCurrent()) return
    if (isAddress) writeTarget(hawser, { text: answer.name, status: 'valid', address })
    else writeTarget(hawser, { text, status: status === 'found' ? 'unknownName' : status, address: '' })
  } catch {
    if (latest.isCurrent()) writeTarget(hawser, { text, status: 'unresolved', address: '' })
  }
}

async function checkAddress(hawser: Hawser, text: string): Promise<boolean> {
  const transfers = await (await adapterOf(hawser, 'eip155')).transfers()
  return transfers.isAddress(text)
}
