import { fetchNfts, type NftCollection, watchNfts } from '@hawser/core'
import { AlertIcon, Button, EmptyState, ImageIcon } from '@hawser/ui'
import { useEffect, useState } from 'react'
import { useHawser } from '../../../hooks/useHawser.ts'
import { useHawserState } from '../../../hooks/useHawserState.ts'
import { useTexts } from '../../../locale/useTexts.ts'
import { HiddenSwitch } from '../../../parts/HiddenSwitch.tsx'
import { OutageText } from '../../../parts/OutageText.tsx'
import { Collection } from './Collection.tsx'

/** The NFTs of the account by collection, or why there are none. */
export function NftsTab() {
  const texts = useTexts()
  const hawser = useHawser()
  const { collections, isLoaded, hasFailed, isBackfilling, isTruncated } = useHawserState(
    hawser.nfts,
    (state) => state,
  )
  useEffect(() => watchNfts(hawser), [hawser])

  if (collections.length === 0 && hasFailed) return <NftsError />
  if (!isLoaded) return <NftSkeletons />
  return (
    <div className="hw-nfts" data-testid="nfts">
      {collections.length > 0 ? <Collections collections={collections} /> : <NoNfts />}
      {isBackfilling && <p className="hw-note">{texts.nfts.backfilling}</p>}
      {isTruncated && <p className="hw-note">{texts.nfts.truncated}</p>}
    </div>
  )
}

/** Suspicious entries, behind a switch that says how many there are. */
function Collections({ collections }: { collections: readonly NftCollection[] }) {
  const [showsHidden, setShowsHidden] = useState(false)
  const hidden = collections.filter((collection) => collection.hidden)
  return (
    <>
      {collections
        .filter((collection) => !collection.hidden)
        .map((collection) => (
          <Collection key={collection.address} collection={collection} />
        ))}
      {hidden.length > 0 && (
        <HiddenSwitch count={hidden.length} isOn={showsHidden} onChange={setShowsHidden} />
      )}
      {showsHidden &&
        hidden.map((collection) => <Collection key={collection.address} collection={collection} />)}
    </>
  )
}

const places = [0, 1, 2, 3]

function NftSkeletons() {
  const texts = useTexts()
  return (
    <div className="hw-nft-grid" role="status">
      <span className="hw-visually-hidden">{texts.nfts.loading}</span>
      {places.map((place) => (
        <span key={place} className="hw-nft-card" data-skeleton="true">
          <span className="hw-nft-picture hw-skeleton" />
        </span>
      ))}
    </div>
  )
}

function NoNfts() {
  const texts = useTexts()
  return (
    <EmptyState icon={<ImageIcon size={26} />} title={texts.nfts.emptyTitle} data-testid="empty-nfts-state">
      {texts.nfts.emptyText}
    </EmptyState>
  )
}

function NftsError() {
  const texts = useTexts()
  const hawser = useHawser()
  const isReading = useHawserState(hawser.nfts, (state) => state.isReading)
  return (
    <EmptyState
      tone="error"
      icon={<AlertIcon size={26} />}
      title={texts.nfts.errorTitle}
      data-testid="nfts-error"
      action={
        <Button size="small" loading={isReading} onClick={() => void fetchNfts(hawser)}>
          {texts.tryAgain}
        </Button>
      }
    >
      <OutageText />
    </EmptyState>
  )
}
