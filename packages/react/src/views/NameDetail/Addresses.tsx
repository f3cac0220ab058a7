import {
  chainIdOfCoin,
  editAddress,
  type NameAddress,
  type NameRecord,
  nameAddresses,
  shortenAddress,
} from '@hawser/core'
import { AssetIcon, Button, CopyButton, EditIcon, IconButton, List, ListItem, Tag } from '@hawser/ui'
import { useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useOwnNamesTexts } from '../../locale/useOwnNamesTexts.ts'
import { NetworkMark } from '../../parts/NetworkMark.tsx'
import { networkLabel } from '../../parts/names/networkLabel.ts'

export interface PlacesProps {
  record: NameRecord
  /** The owner of the name. */
  own: string
}

/** The addresses of a name, one per network, and the networks without one. */
export function Addresses({ record, own }: PlacesProps) {
  const texts = useOwnNamesTexts()
  const hawser = useHawser()
  const networks = useHawserState(hawser.ownNames, (state) => state.networks)
  const [showsAll, setShowsAll] = useState(false)
  const places = nameAddresses(record, networks)
  const set = places.filter(({ address }) => address)
  const unset = places.filter(({ address }) => !address)
  return (
    <section className="hw-name-section">
      <h3 className="hw-heading">{texts.addresses}</h3>
      <List label={texts.addresses}>
        {[...set, ...(showsAll ? unset : [])].map((place) => (
          <PlaceRow key={place.coinType} place={place} own={own} />
        ))}
      </List>
      {unset.length > 0 && (
        <Button
          variant="quiet"
          size="small"
          wide
          aria-expanded={showsAll}
          data-testid="name-other-networks"
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? texts.fewerNetworks : texts.otherNetworks(unset.length)}
        </Button>
      )}
    </section>
  )
}

function PlaceRow({ place, own }: { place: NameAddress; own: string }) {
  const texts = useOwnNamesTexts()
  const hawser = useHawser()
  const { address, network, coinType } = place
  const name = networkLabel(place, texts)
  // Ethereum's is known to every gateway; a request for another's could fail.
  const mark = chainIdOfCoin(coinType) === 1 ? hawser.client.networkMarkUrl('eip155:1') : undefined
  return (
    <ListItem
      title={name}
      subtitle={<PlaceAddress address={address} own={own} />}
      icon={network ? <NetworkMark network={network} /> : <AssetIcon name={name} src={mark} />}
      data-testid={`name-place-${coinType}`}
      end={
        <span className="hw-name-tools">
          {address && <CopyButton text={address} label={texts.copyAddressOn(name)} />}
          <IconButton
            label={texts.changeAddressOn(name)}
            data-testid={`name-edit-address-${coinType}`}
            onClick={() => editAddress(hawser, coinType)}
          >
            <EditIcon />
          </IconButton>
        </span>
      }
    />
  )
}

function PlaceAddress({ address, own }: { address: string | undefined; own: string }) {
  const texts = useOwnNamesTexts()
  if (!address) return texts.notSet
  return (
    <span className="hw-name-address" title={address}>
      <bdi>{shortenAddress(address)}</bdi>
      {address.toLowerCase() === own.toLowerCase() && <Tag>{texts.you}</Tag>}
    </span>
  )
}
