import {
  dangersOf,
  discardSend,
  estimateSendGas,
  formatUnits,
  gasCost,
  goBack,
  isSendPreviewed,
  type OwnedNft,
  previewSend,
  receiverWarning,
  type SendState,
  sendToken,
  sentContract,
  showToast,
  type TokenBalance,
  toastMessage,
  tokenDecimals,
} from '@hawser/core'
import { AlertIcon, Amount, ArrowDownIcon, Avatar, Skeleton, Spinner } from '@hawser/ui'
import { useEffect, useState } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useCoreTexts } from '../../locale/textsOf.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { useOtherChains } from '../../modal/otherChainsFeature.ts'
import { useContactName } from '../../parts/contacts/useContactName.ts'
import { formatUsd } from '../../parts/fiat.ts'
import { NetworkMark } from '../../parts/NetworkMark.tsx'
import { NftPicture } from '../../parts/NftPicture.tsx'
import { ReviewFooter, useConsent } from '../../parts/ReviewFooter.tsx'
import { SigningPreview } from '../../parts/signing/SigningPreview.tsx'
import { TokenMark } from '../../parts/TokenMark.tsx'
import { useReceiverCheck } from '../WalletSend/useReceiverCheck.ts'

/** The review of a transfer, with every digit, before the wallet signs it. */
export function WalletSendPreviewView() {
  const texts = useTexts()
  const hawser = useHawser()
  const current = useHawserState(hawser.send, (state) => state)
  const { doubt } = useReceiverCheck()
  const complete = isComplete(current) && (doubt === undefined || isAtWallet(current))
  // A sent draft stays visible until the next view is shown.
  const [draft, setDraft] = useState(current)
  if (complete && draft !== current) setDraft(current)
  const { token, nft, receiverAddress, receiverProfileName, receiverProfileImageUrl } = draft
  const receiverName = useContactName(receiverAddress) ?? receiverProfileName
  const { address: sender } = useAccount()
  const warning = receiverWarning(draft, sender)
  const isLost = warning === 'zeroAddress' || warning === 'tokenContract'
  const danger = [...(isLost ? [warning] : []), ...dangersOf(draft.preview)].join('\n') || undefined
  const consent = useConsent(danger)
  const isAsking = draft.status === 'sending'
  const isPreviewed = useHawserState(hawser.chain, () => isSendPreviewed(hawser))
  // Its dangers are not known yet.
  const isPreviewing = isPreviewed && (draft.preview === undefined || draft.preview === 'loading')

  useEffect(() => {
    if (complete) {
      void estimateSendGas(hawser)
      void previewSend(hawser)
      // After sending the draft is gone as well, but then the router shows another view. A doubt that the history
      // casts on the receiver is shown by the form.
    } else if (hawser.router.getState().view === 'WalletSendPreview') goBack(hawser)
  }, [hawser, complete])
  if (!token && !nft) return null

  /** A draft that was ready may have become unready: the wallet was disconnected, or the balance shrank. */
  function send() {
    sendToken(hawser).catch(() => showToast(hawser, { ...toastMessage('sendFailed'), variant: 'error' }))
  }
  return (
    <div className="hw-stack">
      <div className="hw-send-fields">
        {nft ? <PreviewNft nft={nft} /> : token && <PreviewToken token={token} />}
        <span className="hw-send-arrow">
          <ArrowDownIcon size={18} />
        </span>
        <div className="hw-preview-row">
          <div className="hw-preview-text">
            <span className="hw-entry-label">{texts.preview.to}</span>
            {receiverName && <bdi className="hw-preview-main">{receiverName}</bdi>}
            <bdi className="hw-mono hw-send-address" dir="ltr" data-testid="send-preview-address">
              {receiverAddress}
            </bdi>
          </div>
          <Avatar seed={receiverAddress} src={receiverProfileImageUrl} />
        </div>
      </div>
      <PreviewDetails />
      <FeeSpeed />
      {warning && !isLost && (
        <div className="hw-send-warning" role="status" data-testid={`send-warning-${warning}`}>
          {texts.preview.warnings[warning]}
        </div>
      )}
      <SigningPreview preview={draft.preview} />
      <Caution isAsking={isAsking} />
      <ReviewFooter
        danger={
          danger === undefined
            ? undefined
            : {
                label: texts.preview.accept,
                consent,
                testId: 'send-danger-accept',
                children: isLost && warning && (
                  <p role="status" data-testid={`send-warning-${warning}`}>
                    {texts.preview.warnings[warning]}
                  </p>
                ),
              }
        }
        cancel={
          isAsking
            ? { label: texts.preview.stop, testId: 'send-stop-button', run: () => discardSend(hawser) }
            : { label: texts.preview.cancel, testId: 'send-cancel-button', run: () => goBack(hawser) }
        }
        confirm={{
          label: danger === undefined ? texts.preview.confirm : texts.preview.anyway,
          testId: 'send-confirm-button',
          isBusy: isAsking || draft.status === 'checking' || isPreviewing,
          isDisabled: !consent.isGiven || isPreviewing,
          run: send,
        }}
      />
    </div>
  )
}

/** Reports whether it is too late for a doubt about the receiver: only the wallet can stop the transfer. */
function isAtWallet({ status }: SendState): boolean {
  return status === 'checking' || status === 'sending'
}

function isComplete({ token, nft, receiverAddress }: SendState): boolean {
  return (token ?? nft) !== undefined && receiverAddress !== ''
}

/** Shows what to do next: check the review, then confirm in the wallet. */
function Caution({ isAsking }: { isAsking: boolean }) {
  const { toasts } = useCoreTexts()
  const texts = useTexts()
  return (
    <p className="hw-note hw-caution" role="status" data-testid="send-caution">
      {isAsking ? <Spinner size={18} /> : <AlertIcon size={18} />}
      {isAsking ? toasts.confirmInWallet : texts.preview.note}
    </p>
  )
}

function PreviewToken({ token }: { token: TokenBalance }) {
  const tag = useLocaleTag()
  const texts = useTexts()
  const hawser = useHawser()
  const amount = useHawserState(hawser.send, (state) => state.sendTokenAmount)
  const value = token.price > 0 ? formatUsd(token.price * Number(amount), tag) : undefined
  return (
    <div className="hw-preview-row">
      <div className="hw-preview-text">
        <span className="hw-entry-label">{texts.preview.send}</span>
        <span className="hw-preview-main" data-testid="send-preview-amount">
          <Amount value={amount || '0'} symbol={token.symbol} precision="exact" />
        </span>
        {value && (
          <span className="hw-preview-value">
            <bdi>{value}</bdi>
          </span>
        )}
      </div>
      <TokenMark token={token} />
    </div>
  )
}

function PreviewNft({ nft }: { nft: OwnedNft }) {
  const texts = useTexts()
  const hawser = useHawser()
  const count = useHawserState(hawser.send, (state) => state.sendTokenAmount)
  return (
    <div className="hw-preview-row hw-nft-row">
      <div className="hw-preview-text">
        <span className="hw-entry-label">{texts.preview.send}</span>
        <span className="hw-preview-main" data-testid="send-preview-amount">
          {count === '1' ? nft.name : <Amount value={count || '0'} symbol={nft.name} precision="exact" />}
        </span>
        <span className="hw-preview-value">{nft.collection.name || texts.nfts.unnamed}</span>
      </div>
      <NftPicture nft={nft} isDecorative />
    </div>
  )
}

function PreviewDetails() {
  const texts = useTexts()
  const hawser = useHawser()
  const { network } = useNetwork()
  const contract = useHawserState(hawser.send, sentContract)
  return (
    <dl className="hw-details">
      <FeeRows />
      {contract && (
        <div>
          <dt>{texts.preview.contract}</dt>
          <dd className="hw-mono" dir="ltr" data-testid="send-preview-contract">
            {contract}
          </dd>
        </div>
      )}
      {network && (
        <div>
          <dt>{texts.preview.network}</dt>
          <dd className="hw-details-network">
            <NetworkMark network={network} size={20} />
            <span>{network.name}</span>
          </dd>
        </div>
      )}
    </dl>
  )
}

/**
 * The network fee in the native token, the cost of an account for the receiver, what has to stay with the
 * sender, and what the token withholds.
 */
function FeeRows() {
  const texts = useTexts()
  const hawser = useHawser()
  const { network } = useNetwork()
  const { fee, token, isGasUnavailable } = useHawserState(hawser.send, (state) => state)
  const { rent = 0n, tokenFee = 0n, reserve = 0n, terms } = fee ?? {}
  const { decimals, symbol } = network?.nativeCurrency ?? { decimals: 0, symbol: '' }
  return (
    <>
      <div>
        <dt>{texts.preview.networkCost}</dt>
        <dd data-testid="send-preview-fee">
          {isGasUnavailable ? texts.preview.costUnknown : <NetworkCost rent={rent} />}
        </dd>
      </div>
      {rent > 0n && (
        <div>
          <dt>{texts.preview.rent}</dt>
          <dd data-testid="send-preview-rent">
            <Amount value={formatUnits(rent, decimals)} symbol={symbol} />
          </dd>
        </div>
      )}
      {reserve > 0n && terms?.namespace === 'polkadot' && (
        <div>
          <dt>{texts.preview.reserve}</dt>
          <dd data-testid="send-preview-reserve">
            <Amount value={formatUnits(reserve, decimals)} symbol={symbol} />
          </dd>
        </div>
      )}
      {tokenFee > 0n && token && (
        <div>
          <dt>{texts.preview.tokenFee}</dt>
          <dd data-testid="send-preview-token-fee">
            <Amount
              value={formatUnits(tokenFee, tokenDecimals(token.quantity.decimals))}
              symbol={token.symbol}
            />
          </dd>
        </div>
      )}
    </>
  )
}

/** The choice of the fee, on networks that let the sender choose, and what stays with the sender there. */
function FeeSpeed() {
  const { network } = useNetwork()
  const parts = useOtherChains(network?.chainNamespace === 'bip122')
  if (!parts) return null
  return (
    <>
      <parts.FeeSpeedChoice />
      <parts.KeptOutputs />
    </>
  )
}

/**
 * The cost of the transaction on the network.
 *
 * @param rent base units of the fee that are shown in a row of their own.
 */
function NetworkCost({ rent }: { rent: bigint }) {
  const tag = useLocaleTag()
  const hawser = useHawser()
  const { network } = useNetwork()
  const draft = useHawserState(hawser.send, (state) => state)
  const cost = gasCost(draft)
  if (cost === undefined || !network) return <Skeleton width={88} height={16} />
  const { decimals, symbol } = network.nativeCurrency
  // The price was that of the whole fee.
  const usd = rent === 0n ? formatUsd(draft.gasPriceInUSD, tag) : undefined
  return (
    <>
      {usd && (
        <>
          <bdi>{usd}</bdi> ·{' '}
        </>
      )}
      <Amount
        value={formatUnits(cost - rent, decimals)}
        symbol={symbol}
        precision={network.chainNamespace === 'bip122' ? 'exact' : 'short'}
      />
    </>
  )
}
