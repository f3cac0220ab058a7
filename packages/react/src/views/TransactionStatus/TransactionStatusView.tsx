import {
  type CaipNetworkId,
  canSendAgain,
  goBack,
  isAccessOffered,
  isSwap,
  type Message,
  requestedNetwork,
  resetView,
  type SentTransaction,
  sendAgain,
  sentMessage,
  shortenAddress,
  showApproval,
  swapMessage,
} from '@hawser/core'
import type { Texts } from '@hawser/texts/modal/texts'
import { Button, CopyButton, exactDecimal, Ring, type RingState, SendIcon, SwapIcon } from '@hawser/ui'
import { useEffect } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { type CoreTexts, useCoreTexts, useMessages } from '../../locale/textsOf.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { useReceiverFeature } from '../../modal/receiverFeature.ts'
import { useContactName } from '../../parts/contacts/useContactName.ts'
import { Fact } from '../../parts/Fact.tsx'
import { ExplorerLink, HashFact } from '../../parts/TransactionFacts.tsx'

type TransactionTexts = Texts['base']['transaction']

/** The status of a sent transfer or swap: pending, confirmed, reverted, or not included as it was sent. */
export function TransactionStatusView() {
  const messages = useMessages()
  const { toasts } = useCoreTexts()
  const baseTexts = useTexts()
  const texts = baseTexts.transaction
  const hawser = useHawser()
  const sent = useHawserState(hawser.send, (state) => state.sent)
  const isMissing = sent === undefined
  const parts = useReceiverFeature(sent?.transaction.metadata.status === 'confirmed' && !isSwap(sent))
  useEffect(() => {
    if (isMissing && hawser.router.getState().view === 'TransactionStatus') goBack(hawser)
  }, [hawser, isMissing])
  if (!sent) return null

  const { status } = sent.transaction.metadata
  const { ring, label, text } = describe(sent, texts, toasts, messages)
  return (
    <div className="hw-stack" data-status={status} data-testid="transaction-status">
      <div className="hw-waiting hw-transaction-head" data-state={ring}>
        <Ring state={ring} shape="circle">
          <span className="hw-transaction-mark">
            {isSwap(sent) ? <SwapIcon size={32} /> : <SendIcon size={32} />}
          </span>
        </Ring>
        <div className="hw-waiting-text" role="status">
          <p className="hw-waiting-label" data-testid="transaction-label">
            {label}
          </p>
          <p className="hw-waiting-detail">{text}</p>
        </div>
      </div>
      <Facts sent={sent} />
      <DangerousApproval sent={sent} />
      {parts && <parts.SaveReceiver sent={sent} />}
      {canSendAgain(hawser, sent) && (
        <Button wide data-testid="transaction-again-button" onClick={() => sendAgain(hawser, sent)}>
          {baseTexts.tryAgain}
        </Button>
      )}
      <Button
        variant="primary"
        wide
        data-testid="transaction-done-button"
        onClick={() => resetView(hawser, 'Account')}
      >
        {texts.done}
      </Button>
    </div>
  )
}

/** Leads to a dangerous approval that the transaction gave, for it to be revoked at once. */
function DangerousApproval({ sent: { owner, approval, transaction } }: { sent: SentTransaction }) {
  const texts = useTexts().transaction
  const hawser = useHawser()
  const { caipAddress } = useAccount()
  const namespace = useHawserState(hawser.chain, ({ activeChain }) => activeChain)
  const features = useHawserState(hawser.options, (options) => options.features)
  const served = useHawserState(hawser.served, (state) => state)
  const isGiven = owner === caipAddress && transaction.metadata.status !== 'failed'
  if (!approval || !isGiven || !isAccessOffered(namespace, features, served)) return null
  return (
    <Button
      variant="danger"
      wide
      data-testid="transaction-revoke-button"
      onClick={() => showApproval(hawser, approval)}
    >
      {texts.revokeApproval}
    </Button>
  )
}

function describe(
  sent: SentTransaction,
  texts: TransactionTexts,
  toasts: CoreTexts['toasts'],
  messages: (message: Message) => string,
): { ring: RingState; label: string; text: string } {
  const { change, transaction } = sent
  switch (transaction.metadata.status) {
    case 'pending':
      return change === 'dropped'
        ? { ring: 'error', label: toasts.transactionDropped, text: texts.dropped }
        : {
            ring: 'active',
            label: isSwap(sent) ? messages(swapMessage(sent)) : toasts.transactionStarted,
            text: texts.pending,
          }
    case 'failed':
      return { ring: 'error', ...failed(sent, texts, toasts) }
    default:
      return {
        ring: 'success',
        label: messages(isSwap(sent) ? swapMessage(sent) : sentMessage(sent, exactDecimal)),
        text: change === 'spedUp' ? texts.spedUp : texts.confirmed,
      }
  }
}

/** Returns how the transfer failed, why if the chain reports it, and what that means. */
function failed(
  { failure, change }: SentTransaction,
  texts: TransactionTexts,
  toasts: CoreTexts['toasts'],
): { label: string; text: string } {
  switch (change) {
    case 'cancelled':
      return { label: toasts.transactionCancelled, text: texts.cancelled }
    case 'replaced':
      return { label: toasts.transactionReplaced, text: texts.replaced }
    case 'expired':
      return { label: toasts.transactionExpired, text: texts.expired }
    default:
      return {
        label: toasts.transactionReverted,
        text: failure ? `${failure} ${texts.reverted}` : texts.reverted,
      }
  }
}

/** Receiver of a transfer, network, hash and a link to a block explorer. A batch has no hash before it is in a block. */
function Facts({ sent }: { sent: SentTransaction }) {
  const { transaction, receiverName } = sent
  const texts = useTexts().transaction
  const baseTexts = useTexts()
  const hawser = useHawser()
  const { hash, chain } = transaction.metadata
  const recipient = transaction.transfers[0]?.recipient ?? ''
  const name = useContactName(recipient) ?? receiverName
  const network = requestedNetwork(hawser, chain as CaipNetworkId)
  return (
    <div className="hw-facts hw-transaction-facts">
      <dl className="hw-details">
        {!isSwap(sent) && (
          <Fact name={texts.to}>
            {name && <bdi>{name}</bdi>}
            <CopyButton text={recipient} label={baseTexts.copyAddress}>
              <bdi className="hw-mono">{shortenAddress(recipient)}</bdi>
            </CopyButton>
          </Fact>
        )}
        {network && <Fact name={texts.network}>{network.name}</Fact>}
        {hash && <HashFact hash={hash} testId="transaction-hash" />}
      </dl>
      {hash && <ExplorerLink chainId={chain} hash={hash} testId="transaction-explorer" />}
    </div>
  )
}
