import { addressKind } from '../address/addressKind.ts'
import { accessTo, adapterOf } from '../chain/adapters.ts'
import { readContacts } from '../contacts/storedContacts.ts'
import { toast } from '../errors/messages.ts'
import { importModule } from '../importModule.ts'
import type { Latest } from '../latestOnly.ts'
import { NAME_DEBOUNCE_MS } from '../limits.ts'
import { reportTransfer } from '../modal/transferFlows.ts'
import { isNameForm, shownName } from '../names/normalName.ts'
import type { ResolvedAddress } from '../names/resolveName.ts'
import type { Transfers } from '../types/adapter.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace, Network } from '../types/network.ts'
import type { ReceiverStatus } from '../types/state.ts'
import { editDraft } from './draft.ts'
import { estimateSendGas } from './gas.ts'
import { readReceiverHistory } from './receiverCheck.ts'

/** A payment request, an account of CAIP-10 or an interoperable name: see `draftReceiver`. */
const draftedForm = /^(?:ethereum|bitcoin|solana):|^[^:/?]*@[^/?]*$|^[^:/?@]+:[^:/?]+:[^:/?]+$/i

const namedNamespaces: readonly Namespace[] = ['eip155', 'solana']

/**
 * Sets a typed or pasted receiver: an address, a payment request (EIP-681, BIP-21, Solana Pay), which also sets the token
 * and the amount, or a name that is resolved once typing stops for half a second. An address or a name may have its chain
 * (CAIP-10, ERC-7930, ERC-7828), which must be the active network. An address with a wrong checksum is invalid; a
 * lower-case one has no checksum. There is no address until a name is resolved.
 */
export async function setReceiver(hawser: Hawser, text: string): Promise<void> {
  const receiver = text.trim()
  const latest = hawser.latest.begin('send:receiver')
  hawser.send.setState({ receiverWithChain: undefined })
  if (draftedForm.test(receiver)) await takeDrafted(hawser, receiver, latest)
  else await takePlain(hawser, receiver, latest)
}

/** Takes an address or a name. */
async function takePlain(hawser: Hawser, receiver: string, latest: Latest): Promise<void> {
  if (isName(hawser, receiver)) {
    await takeName(hawser, receiver, latest)
    return
  }
  take(hawser, receiver === '' ? 'empty' : 'unchecked', { address: receiver })
  if (receiver === '') return
  await check(hawser, receiver, 'invalid', latest)
}

/** Drafts a payment request, or takes a receiver with its chain, by code that is loaded with the first one. */
async function takeDrafted(hawser: Hawser, text: string, latest: Latest): Promise<void> {
  take(hawser, 'unchecked', { address: text })
  try {
    const { draftReceiver } = await importModule(() => import('./draftReceiver.ts'), 'draftReceiver')
    if (!latest.isCurrent()) return
    const receiver = draftReceiver(hawser, text)
    if (receiver === undefined) hawser.send.setState({ receiverStatus: 'invalid' })
    else await takePlain(hawser, receiver, latest)
  } catch {
    if (latest.isCurrent()) hawser.send.setState({ receiverStatus: 'invalid' })
  }
}

/** Resolves a name again. */
export async function resolveReceiver(hawser: Hawser): Promise<void> {
  const { receiverProfileName: name } = hawser.send.getState()
  if (name === undefined) return
  take(hawser, 'resolving', { name })
  await resolve(hawser, name, hawser.latest.begin('send:receiver'))
}

/**
 * Resolves a receiver's name once more before anything is signed. If the address is not the reviewed one any more,
 * the draft and the outcome say so.
 *
 * @returns whether it is the reviewed address, and the visitor has not left the view.
 */
export async function confirmReceiver(hawser: Hawser): Promise<boolean> {
  const { receiverProfileName: name, receiverAddress: reviewed } = hawser.send.getState()
  const { activeCaipNetwork: network } = hawser.chain.getState()
  if (name === undefined || !network) return true
  const { view } = hawser.router.getState()
  const { open } = hawser.modal.getState()
  const { isCurrent, signal } = hawser.latest.begin('send:receiver')
  hawser.send.setState({ status: 'checking' })
  const { status, address } = await lookUp(hawser, name, network, signal)
  // An edit of the draft cancels the check.
  if (hawser.send.getState().status === 'checking') hawser.send.setState({ status: 'draft' })
  if (!isCurrent()) return false
  if (status === 'found' && address === reviewed)
    return hawser.router.getState().view === view && hawser.modal.getState().open === open
  take(hawser, status === 'found' ? 'moved' : status, { name, address })
  const message = address ? toast('receiverMoved', name) : toast('receiverUnconfirmed', name)
  reportTransfer(hawser, { kind: 'receiverChanged', ...message })
  return false
}

/** Accepts the new address of a name, once the visitor has seen it. */
export async function acceptMovedReceiver(hawser: Hawser): Promise<void> {
  const { receiverStatus, receiverAddress: address, receiverProfileName: name } = hawser.send.getState()
  if (receiverStatus !== 'moved' || name === undefined) return
  take(hawser, 'unchecked', { name, address })
  await check(hawser, address, 'unresolved', hawser.latest.begin('send:receiver'))
}

/** Resolves a name; `unresolved` when the gateway does not answer. Never throws. */
async function lookUp(
  hawser: Hawser,
  name: string,
  network: Network,
  signal: AbortSignal,
): Promise<ResolvedAddress | { readonly status: 'unresolved'; readonly address: '' }> {
  try {
    const { resolveName } = await importModule(() => import('../names/resolveName.ts'), 'resolveName')
    return await resolveName(hawser, name, network, signal)
  } catch {
    return { status: 'unresolved', address: '' }
  }
}

/** Reports whether a text is a name, in a namespace whose accounts have names. */
function isName(hawser: Hawser, text: string): boolean {
  return namedNamespaces.includes(hawser.chain.getState().activeChain) && isNameForm(text)
}

async function takeName(hawser: Hawser, text: string, latest: Latest): Promise<void> {
  const name = shownName(text)
  take(hawser, 'resolving', { name })
  await new Promise<void>((rested) => hawser.clock.after(NAME_DEBOUNCE_MS, rested))
  if (latest.isCurrent()) await resolve(hawser, name, latest)
}

async function resolve(hawser: Hawser, name: string, latest: Latest): Promise<void> {
  const { activeCaipNetwork: network } = hawser.chain.getState()
  if (!network) return
  const answer = await lookUp(hawser, name, network, latest.signal)
  if (!latest.isCurrent()) return
  if (answer.status !== 'found') {
    take(hawser, answer.status, { name })
    return
  }
  const { address } = answer
  take(hawser, 'unchecked', { name: answer.name, address })
  await check(hawser, address, 'unresolved', latest)
}

/**
 * Checks an address.
 *
 * @param otherwise the status when it is not an address.
 */
async function check(
  hawser: Hawser,
  address: string,
  otherwise: ReceiverStatus,
  { isCurrent }: Latest,
): Promise<void> {
  const { activeChain, activeCaipNetwork } = hawser.chain.getState()
  const transfers = await transfersOf(hawser, activeChain)
  if (!transfers) {
    if (isCurrent()) hawser.send.setState({ isGasUnavailable: true, refusal: undefined })
    return
  }
  const isAddress = transfers.isAddress(address, activeCaipNetwork?.caipNetworkId)
  const hasChecksum = await hasChecksumOf(hawser, address)
  const isValid = isAddress && hasChecksum
  const kind = isAddress ? undefined : addressKind(address)
  const local =
    isValid && activeCaipNetwork ? await localForm(hawser, transfers, address, activeCaipNetwork) : address
  if (!isCurrent()) return
  if (isValid) {
    readContacts(hawser)
    void readReceiverHistory(hawser)
  }
  hawser.send.setState({
    receiverStatus: isValid ? 'valid' : hasChecksum ? otherwise : 'invalid',
    // A mistyped address of the active namespace is only invalid.
    receiverKind: kind === activeChain ? undefined : kind,
    ...(!hasChecksum && { receiverObjection: { kind: 'wrongChecksum' } }),
    ...(local !== address && { receiverAddress: local, receiverTyped: address }),
  })
  await Promise.all([estimateSendGas(hawser), showPicture(hawser, address)])
}

/** Reports whether the receiver was given without a checksum of its chain, or with that of an address. */
async function hasChecksumOf(hawser: Hawser, address: string): Promise<boolean> {
  const { receiverWithChain: withChain } = hawser.send.getState()
  if (!withChain?.text.includes('#')) return true
  const { isChecksumOf } = await importModule(() => import('./draftChainAddress.ts'), 'isChecksumOf')
  return isChecksumOf(hawser, withChain.text, address)
}

/** Returns an address as a network writes it; unchanged when its form is not known. Never throws. */
async function localForm(
  hawser: Hawser,
  { localAddress }: Transfers,
  address: string,
  network: Network,
): Promise<string> {
  if (!localAddress) return address
  return localAddress(address, accessTo(hawser, network)).catch(() => address)
}

/** Returns what checks and sends transfers; undefined while its code cannot be loaded. Never throws. */
async function transfersOf(hawser: Hawser, chain: Namespace): Promise<Transfers | undefined> {
  try {
    return await (await adapterOf(hawser, chain)).transfers()
  } catch {
    return undefined
  }
}

/** Shows the picture of a receiver that was given by name. Never throws. */
async function showPicture(hawser: Hawser, address: string): Promise<void> {
  const { receiverProfileName: name, receiverStatus } = hawser.send.getState()
  if (name === undefined || receiverStatus !== 'valid') return
  const { isCurrent, signal } = hawser.latest.begin('send:picture')
  try {
    const { readPicture } = await importModule(() => import('../names/picture.ts'), 'readPicture')
    const receiverProfileImageUrl = await readPicture(hawser, address, signal)
    const { receiverAddress, receiverProfileName } = hawser.send.getState()
    if (!isCurrent() || receiverAddress !== address || receiverProfileName !== name) return
    hawser.send.setState({ receiverProfileImageUrl })
  } catch {
    // Without a picture, a pattern of the address is shown.
  }
}

interface Receiver {
  readonly address?: string
  readonly name?: string
}

function take(hawser: Hawser, receiverStatus: ReceiverStatus, { address = '', name }: Receiver): void {
  editDraft(hawser, {
    receiverStatus,
    receiverKind: undefined,
    receiverObjection: undefined,
    receiverAddress: address,
    receiverTyped: undefined,
    receiverProfileName: name,
    receiverProfileImageUrl: undefined,
    fee: undefined,
  })
}
