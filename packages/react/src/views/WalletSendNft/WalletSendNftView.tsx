import { goBack, loadSendBalances, type OwnedNft, pushView, sendReadiness, setSendAmount } from '@hawser/core'
import { ArrowDownIcon, Button, exactDecimal } from '@hawser/ui'
import { type FormEvent, useEffect } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useCoreTexts } from '../../locale/textsOf.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { AmountField } from '../../parts/amount/AmountField.tsx'
import { NftPicture } from '../../parts/NftPicture.tsx'
import { SendObstacle } from '../WalletSend/SendObstacle.tsx'
import { SendReceiverField } from '../WalletSend/SendReceiverField.tsx'
import { useReceiverCheck } from '../WalletSend/useReceiverCheck.ts'

/** The form that sends an NFT: its receiver, and how many for ERC-1155. The button says what is missing. */
export function WalletSendNftView() {
  const { sendLabels } = useCoreTexts()
  const texts = useTexts()
  const hawser = useHawser()
  const nft = useHawserState(hawser.send, (state) => state.nft)
  const { check } = useReceiverCheck()
  const readiness = useHawserState(hawser.send, (state) => sendReadiness(state, { check }))
  useEffect(() => {
    if (nft) void loadSendBalances(hawser)
    // After sending the draft is gone as well, but then the router shows another view.
    else if (hawser.router.getState().view === 'WalletSendNft') goBack(hawser)
  }, [hawser, nft])
  if (!nft) return null

  function review(event: FormEvent) {
    event.preventDefault()
    if (readiness === 'ready') pushView(hawser, 'WalletSendPreview', { nft: nft as OwnedNft })
  }
  return (
    <form className="hw-stack hw-send" onSubmit={review} noValidate>
      <div className="hw-send-fields">
        <div className="hw-entry-box hw-nft-row">
          <NftPicture nft={nft} isDecorative />
          <div className="hw-preview-text">
            <span className="hw-entry-label">{nft.collection.name || texts.nfts.unnamed}</span>
            <span className="hw-preview-main">{nft.name}</span>
          </div>
        </div>
        {nft.quantity !== '1' && <CountField nft={nft} />}
        <span className="hw-send-arrow">
          <ArrowDownIcon size={18} />
        </span>
        <SendReceiverField />
      </div>
      <Button
        type="submit"
        variant="primary"
        wide
        disabled={readiness !== 'ready'}
        data-testid="send-review-button"
      >
        {sendLabels[readiness]}
      </Button>
      <SendObstacle readiness={readiness} />
    </form>
  )
}

function CountField({ nft }: { nft: OwnedNft }) {
  const tag = useLocaleTag()
  const texts = useTexts()
  const hawser = useHawser()
  const count = useHawserState(hawser.send, (state) => state.sendTokenAmount)
  return (
    <AmountField
      label={texts.nfts.howMany}
      value={count}
      onChange={(count) => /^\d*$/.test(count) && setSendAmount(hawser, count)}
      inputMode="numeric"
      testIds={{ input: 'send-amount-input' }}
      unit={
        <span className="hw-amount-detail hw-nft-owned">
          {texts.nfts.owned(exactDecimal(nft.quantity, tag))}
        </span>
      }
    />
  )
}
