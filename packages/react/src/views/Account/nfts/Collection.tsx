import { type NftCollection, type OwnedNft, ownedNfts, pushView } from '@hawser/core'
import { textFor } from '@hawser/texts/translated'
import { shortDecimal } from '@hawser/ui'
import { useId } from 'react'
import { useHawser } from '../../../hooks/useHawser.ts'
import { useLocaleTag } from '../../../locale/shownLocale.ts'
import { useTexts } from '../../../locale/useTexts.ts'
import { NftPicture } from '../../../parts/NftPicture.tsx'

/** One contract and the tokens owned of it. */
export function Collection({ collection }: { collection: NftCollection }) {
  const texts = useTexts()
  const id = useId()
  const more = collection.owned - collection.nfts.length
  return (
    <section className="hw-nft-collection" aria-labelledby={id}>
      <div className="hw-nft-heading">
        <h3 id={id} className="hw-heading" title={collection.name}>
          {collection.name || texts.nfts.unnamed}
        </h3>
        <span className="hw-nft-count">{collection.owned}</span>
      </div>
      {collection.hidden && (
        <p className="hw-token-doubt hw-nft-doubt">
          {textFor(texts.account.hiddenReasons, collection.hidden) ?? texts.account.hiddenOther}
        </p>
      )}
      <ul className="hw-nft-grid" aria-label={collection.name || texts.nfts.unnamed}>
        {ownedNfts(collection).map((nft) => (
          <NftCard key={nft.tokenId} nft={nft} />
        ))}
      </ul>
      {more > 0 && <p className="hw-note">{texts.nfts.moreOwned(more)}</p>}
    </section>
  )
}

function NftCard({ nft }: { nft: OwnedNft }) {
  const tag = useLocaleTag()
  const texts = useTexts()
  const hawser = useHawser()
  const symbol = nft.collection.symbol || nft.collection.name
  return (
    <li>
      <button
        type="button"
        className="hw-nft-card"
        data-testid={`nft-${symbol}-${nft.tokenId}`}
        onClick={() => pushView(hawser, 'NftDetail', { nft })}
      >
        <NftPicture nft={nft} isDecorative />
        {nft.quantity !== '1' && (
          <span className="hw-nft-quantity" title={nft.quantity}>
            {texts.nfts.quantity(shortDecimal(nft.quantity, tag))}
          </span>
        )}
        <span className="hw-nft-name" title={nft.name} dir="auto">
          {nft.name}
        </span>
        <span className="hw-nft-id" title={nft.tokenId}>
          #{nft.tokenId}
        </span>
      </button>
    </li>
  )
}
