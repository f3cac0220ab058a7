import { goBack, type OwnedNft, openSendNft, shortenAddress } from '@hawser/core'
import { textFor } from '@hawser/texts/translated'
import { Button, CopyButton, exactDecimal, SendIcon } from '@hawser/ui'
import { type ReactNode, useEffect } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { NftPicture } from '../../parts/NftPicture.tsx'

/** The details of one NFT, and the button that sends it. */
export function NftDetailView() {
  const texts = useTexts()
  const hawser = useHawser()
  const nft = useHawserState(hawser.router, ({ data }) => data?.nft)
  const canSend = useHawserState(hawser.options, ({ features }) => features.send)
  useEffect(() => {
    if (!nft && hawser.router.getState().view === 'NftDetail') goBack(hawser)
  }, [hawser, nft])
  if (!nft) return null
  return (
    <div className="hw-stack hw-nft-detail">
      <NftPicture nft={nft} />
      <NftText nft={nft} />
      {canSend && (
        <Button
          variant="primary"
          wide
          icon={<SendIcon size={18} />}
          data-testid="nft-send-button"
          onClick={() => openSendNft(hawser, nft)}
        >
          {texts.nfts.send}
        </Button>
      )}
      {nft.traits.length > 0 && <Traits nft={nft} />}
      <NftDetails nft={nft} />
    </div>
  )
}

function NftText({ nft }: { nft: OwnedNft }) {
  const tag = useLocaleTag()
  const texts = useTexts()
  return (
    <div className="hw-nft-text">
      <p className="hw-nft-title" dir="auto">
        {nft.name}
      </p>
      {nft.quantity !== '1' && (
        <p className="hw-nft-owned">{texts.nfts.owned(exactDecimal(nft.quantity, tag))}</p>
      )}
      {nft.description && <p className="hw-nft-description">{nft.description}</p>}
      {!nft.metadataRead && <p className="hw-nft-description">{texts.nfts.metadataUnread}</p>}
    </div>
  )
}

function Traits({ nft }: { nft: OwnedNft }) {
  const texts = useTexts()
  return (
    <section>
      <h3 className="hw-heading">{texts.nfts.traits}</h3>
      <dl className="hw-nft-traits">
        {nft.traits.map(({ name, value }) => (
          <div key={`${name}:${value}`}>
            <dt title={name}>{name}</dt>
            <dd title={value}>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function NftDetails({ nft }: { nft: OwnedNft }) {
  const texts = useTexts()
  const { name, address, standard } = nft.collection
  const contract = address.slice(address.lastIndexOf(':') + 1)
  return (
    <section>
      <h3 className="hw-heading">{texts.nfts.details}</h3>
      <dl className="hw-details hw-nft-details">
        <Detail name={texts.nfts.collection}>{name || texts.nfts.unnamed}</Detail>
        <Detail name={texts.nfts.contract}>
          <CopyButton text={contract} label={texts.nfts.copyContract}>
            <bdi className="hw-mono">{shortenAddress(contract)}</bdi>
          </CopyButton>
        </Detail>
        <Detail name={texts.nfts.tokenId}>
          <CopyButton text={nft.tokenId} label={texts.nfts.copyTokenId}>
            <bdi className="hw-mono">{shortenAddress(nft.tokenId)}</bdi>
          </CopyButton>
        </Detail>
        <Detail name={texts.nfts.standard}>{textFor(texts.nfts.standards, standard) ?? standard}</Detail>
      </dl>
    </section>
  )
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
