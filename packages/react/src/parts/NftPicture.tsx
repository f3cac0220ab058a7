import type { Nft } from '@hawser/core'
import { ImageIcon } from '@hawser/ui'
import { useCallback, useState } from 'react'
import { useHawser } from '../hooks/useHawser.ts'
import { useTexts } from '../locale/useTexts.ts'

export interface NftPictureProps {
  nft: Pick<Nft, 'name' | 'mediaId'>
  /** True when its name is shown beside it. */
  isDecorative?: boolean
}

/** The image of an NFT, loaded through the gateway, in a square of fixed size. */
export function NftPicture({ nft, isDecorative = false }: NftPictureProps) {
  const texts = useTexts()
  const { client } = useHawser()
  const [state, setState] = useState<'loading' | 'shown' | 'broken'>('loading')
  // A cached image may be complete before React adds its listener.
  const look = useCallback((image: HTMLImageElement | null) => {
    if (image?.complete && image.naturalWidth > 0) setState('shown')
  }, [])
  const hasPicture = nft.mediaId !== '' && state !== 'broken'
  return (
    <span className="hw-nft-picture" data-state={hasPicture ? state : 'broken'}>
      {hasPicture ? (
        <img
          ref={look}
          src={client.nftMediaUrl(nft.mediaId)}
          alt={isDecorative ? '' : nft.name}
          loading="lazy"
          decoding="async"
          draggable={false}
          onLoad={() => setState('shown')}
          onError={() => setState('broken')}
        />
      ) : (
        <>
          <ImageIcon size={28} />
          {!isDecorative && <span className="hw-visually-hidden">{texts.nfts.noPicture}</span>}
        </>
      )}
    </span>
  )
}
