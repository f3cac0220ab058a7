import { goBack, type OwnedNft, openSendNft, shortenAddress } from '@hawser/core'
import { Button, CopyButton, exactDecimal, SendIcon } from '@hawser/ui'
import { type ReactNode, useEffect } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { en } from '../../locale/en.ts'
import { NftPicture } from '../../parts/NftPicture.tsx'

/** The details of one NFT, and the button that sends it. */
export function NftDetailView() {
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
          {en.nfts.send}
        </Button>
      )}
      {nft.traits.length > 0 && <Traits nft={nft} />}
      <NftDetails nft={nft} />
    </div>
  )
}

function NftText({ nft }: { nft: OwnedNft }) {
  return (
    <div className="hw-nft-text">
      <p className="hw-nft-title" dir="auto">
        {nft.name}
      </p>
      {nft.quantity !== '1' && <p className="hw-nft-owned">{en.nfts.owned(exactDecimal(nft.quantity))}</p>}
      {nft.description && <p className="hw-nft-description">{nft.description}</p>}
      {!nft.metadataRead && <p className="hw-nft-description">{en.nfts.metadataUnread}</p>}
    </div>
  )
}

function Traits({ nft }: { nft: OwnedNft }) {
  return (
    <section>
      <h3 className="hw-heading">{en.nfts.traits}</h3>
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
  const { name, address, standard } = nft.collection
  const contract = address.slice(address.lastIndexOf(':') + 1)
  return (
    <section>
      <h3 className="hw-heading">{en.nfts.details}</h3>
      <dl className="hw-details hw-nft-details">
        <Detail name={en.nfts.collection}>{name || en.nfts.unnamed}</Detail>
        <Detail name={en.nfts.contract}>
          <CopyButton text={contract} label={en.nfts.copyContract}>
            <bdi className="hw-mono">{shortenAddress(contract)}</bdi>
          </CopyButton>
        </Detail>
        <Detail name={en.nfts.tokenId}>
          <CopyButton text={nft.tokenId} label={en.nfts.copyTokenId}>
            <bdi className="hw-mono">{shortenAddress(nft.tokenId)}</bdi>
          </CopyButton>
        </Detail>
        <Detail name={en.nfts.standard}>{en.nfts.standards[standard] ?? standard}</Detail>
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
