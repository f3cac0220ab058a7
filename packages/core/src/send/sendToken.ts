import type { Message } from '@hawser/texts/message'
import { isSmartAccount } from '../account/account.ts'
import { type AccountOwner, activeOwner } from '../account/owner.ts'
import { DecimalsError, requireDecimals } from '../account/requireDecimals.ts'
import { follow, loadFollowing } from '../activity/follow.ts'
import { rememberSent, type SentTransfer } from '../activity/sentTransactions.ts'
import { formatUnits, tokenDecimals } from '../amounts/units.ts'
import { accessTo, adapterOf, hasAdapter, refusalOf } from '../chain/adapters.ts'
import { toast } from '../errors/messages.ts'
import { thrown } from '../errors/thrown.ts'
import { errorMessage } from '../errors/walletErrors.ts'
import { isUserRejection, walletFailureMessage } from '../errors/walletFailure.ts'
import { reportTransfer } from '../modal/transferFlows.ts'
import { dangerousApproval } from '../preview/dangers.ts'
import type { SendTerms, TransferDraft, TransferRefusal } from '../types/adapter.ts'
import type { SendProperties } from '../types/events.ts'
import type { ConnectedSession, Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'
import type { SendState } from '../types/state.ts'
import { sendAmountInBaseUnits } from './amount.ts'
import { resetSend } from './draft.ts'
import { isSending } from './lock.ts'
import { sendReadiness } from './readiness.ts'
import { confirmReceiver } from './receiver.ts'
import { checkReceiver } from './receiverCheck.ts'
import { nftReference, tokenContract, transferOf } from './tokenContract.ts'

/** No draft is ready to be sent, or the wallet has not answered the last one yet. */
export class SendError extends Error {
  override readonly name = 'SendError'
}

interface PreparedSend {
  readonly session: ConnectedSession
  readonly owner: AccountOwner
  readonly network: Network
  readonly receiverName: string | undefined
  readonly approval: SentTransfer['approval']
  /** What moves, as in a history. */
  readonly movement: SentTransfer['transfer']
  readonly transfer: TransferDraft
  readonly terms: SendTerms
  /** The tokens whose decimals the amount was shown with. */
  readonly tokens: Parameters<typeof requireDecimals>[3]
  readonly properties: SendProperties
}

/**
 * Sends the draft with the wallet, and follows the transaction until it is in a block. If the visitor declines or the
 * wallet fails, the draft is kept. Nothing is sent to a name whose address is not the reviewed one.
 *
 * @returns the transaction hash; undefined when the wallet did not send.
 * @throws SendError when no draft is ready, or the wallet has not answered the last one yet.
 */
export async function sendToken(hawser: Hawser): Promise<string | undefined> {
  if (isSending(hawser.send.getState())) throw new SendError('A transfer is already open in the wallet')
  const isByName = hawser.send.getState().receiverProfileName !== undefined
  if (isByName && !(await confirmReceiver(hawser))) return undefined
  const prepared = prepareSend(hawser)
  const { isCurrent } = hawser.latest.begin('send:order')
  hawser.send.setState({ status: 'sending', loading: true })
  void loadFollowing()
  reportTransfer(hawser, { kind: 'sendStarted', ...toast('confirmInWallet') })
  hawser.events.emit({ event: 'SEND_INITIATED', properties: prepared.properties })

  try {
    await requireDecimals(hawser, prepared.session, prepared.network, prepared.tokens)
    const adapter = await adapterOf(hawser, prepared.network.chainNamespace)
    const transfers = await adapter.transfers()
    // The draft was dropped meanwhile, as by a change of the account.
    if (!isCurrent()) return undefined
    const access = accessTo(hawser, prepared.network)
    const hash = await transfers.send(prepared.session, prepared.transfer, prepared.terms, access)
    const [lastBlock, call] = [adapter.lastBlock?.(hash), transfers.call?.(prepared.transfer)]
    succeed(hawser, prepared, { hash, lastBlock, call }, isCurrent())
    return hash
  } catch (error) {
    const refusal = await refusalOf(hawser, prepared.network.chainNamespace, error)
    fail(hawser, prepared, error, refusal, isCurrent())
    return undefined
  }
}

/**
 * Prepares the draft to be sent.
 *
 * @throws SendError
 */
function prepareSend(hawser: Hawser): PreparedSend {
  const send = hawser.send.getState()
  const owner = activeOwner(hawser)
  if (!hasAdapter(hawser, hawser.chain.getState().activeChain)) throw new SendError(thrown.unsupportedChain)
  const session = owner && hawser.sessions.get(owner.network.chainNamespace)
  if (!session) throw new SendError(thrown.connectionClientNotSet)

  const { network } = owner
  const smart = isSmartAccount(hawser)
  const readiness = sendReadiness(send, { isSmartAccount: smart, check: checkReceiver(hawser) })
  const { token, nft, fee } = send
  const amount = sendAmountInBaseUnits(send)
  if (network.chainNamespace === 'solana' && (!amount || send.receiverStatus !== 'valid')) {
    throw new SendError(thrown.solanaSendIncomplete)
  }
  if (readiness !== 'ready' || amount === undefined || !fee) {
    throw new SendError(`The draft is not ready: ${readiness}`)
  }
  if (token?.chainId && token.chainId !== owner.network.caipNetworkId) {
    throw new SendError('The token is on another network')
  }
  const tokenAddress = token && tokenContract(token)
  const reference = nft && nftReference(nft)
  const { address: from } = owner
  const { caipNetworkId } = network
  return {
    session,
    owner,
    network,
    receiverName: send.receiverProfileName,
    approval: dangerousApproval(send.preview),
    movement: movement(send, amount),
    transfer: transferOf(send, from, amount),
    terms: { caipNetworkId, fee },
    tokens: token
      ? [{ symbol: token.symbol, decimals: tokenDecimals(token.quantity.decimals), contract: tokenAddress }]
      : [],
    properties: {
      isSmartAccount: smart,
      network: caipNetworkId,
      token: tokenAddress ?? reference?.contract ?? token?.symbol ?? '',
      amount: send.sendTokenAmount,
    },
  }
}

/** @param isCurrent false when the draft was cleared before the wallet answered. */
function succeed(
  hawser: Hawser,
  prepared: PreparedSend,
  ids: Pick<SentTransfer, 'hash' | 'lastBlock' | 'call'>,
  isCurrent: boolean,
): void {
  const { owner, transfer, movement, receiverName, approval } = prepared
  const sent = rememberSent(hawser, owner, {
    ...ids,
    to: transfer.to,
    transfer: movement,
    receiverName,
    approval,
  })
  if (isCurrent) resetSend(hawser)
  hawser.send.setState({ sent, ...(isCurrent && { status: 'success', transactionHash: ids.hash }) })
  reportTransfer(hawser, { kind: 'sendSucceeded', ...toast('transactionStarted'), isDropped: !isCurrent })
  hawser.events.emit({ event: 'SEND_SUCCESS', properties: { ...prepared.properties, hash: ids.hash } })
  void follow(hawser, sent)
}

function movement({ token, nft }: SendState, amount: bigint): SentTransfer['transfer'] {
  if (token) {
    const { name, symbol, address, quantity } = token
    const decimals = tokenDecimals(quantity.decimals)
    return {
      fungibleInfo: { name, symbol, decimals, ...(address && { address }) },
      quantity: { numeric: formatUnits(amount, decimals) },
    }
  }
  if (!nft) return { quantity: { numeric: String(amount) } }
  const { name, tokenId, collection } = nft
  return {
    nftInfo: { name, tokenId, address: collection.address, standard: collection.standard },
    quantity: { numeric: String(amount) },
  }
}

function fail(
  hawser: Hawser,
  prepared: PreparedSend,
  error: unknown,
  refusal: TransferRefusal | undefined,
  isCurrent: boolean,
): void {
  const isDeclined = isUserRejection(error)
  if (isCurrent) hawser.send.setState({ status: isDeclined ? 'declined' : 'error', loading: false })
  reportTransfer(hawser, {
    kind: 'sendFailed',
    ...failureMessage(error, refusal, prepared.network),
    isDeclined,
    isDropped: !isCurrent,
  })
  const properties = { ...prepared.properties, message: errorMessage(error) }
  hawser.events.emit({ event: 'SEND_ERROR', properties })
}

/** Returns the message for a send that failed. */
function failureMessage(
  error: unknown,
  refusal: TransferRefusal | undefined,
  { chainNamespace }: Network,
): Message {
  if (error instanceof DecimalsError) return toast('refused')
  const failed = chainNamespace === 'solana' ? toast('solanaSendFailed') : toast('sendFailed')
  if (isUserRejection(error)) return toast('declined')
  return refusal && 'chain' in refusal
    ? toast('contractRefused', refusal.chain)
    : walletFailureMessage(error, failed)
}
