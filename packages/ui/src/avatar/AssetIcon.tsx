import { useState } from 'react'
import { groundOf, monogramOf } from './monogram.ts'

export interface AssetIconProps {
  /** Token symbol, network or wallet name; its letters are shown when there is no image. */
  name: string
  /** The seed of the colour behind the letters, such as chain and address, as symbols are not unique. The name by default. */
  seed?: string | undefined
  src?: string | undefined
  /** CSS pixels. */
  size?: number
  shape?: 'circle' | 'square'
}

/** The logo of a token, network or wallet. Decorative: its name is shown beside it. */
export function AssetIcon({ name, seed = name, src, size = 40, shape = 'circle' }: AssetIconProps) {
  const [broken, setBroken] = useState<string>()
  if (src && src !== broken) {
    return (
      <img
        className="hw-asset-icon"
        data-shape={shape}
        src={src}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        decoding="async"
        draggable={false}
        onError={() => setBroken(src)}
      />
    )
  }
  const { letters, fontSize } = monogramOf(name, size)
  return (
    <svg
      className="hw-asset-icon"
      data-shape={shape}
      width={size}
      height={size}
      viewBox="0 0 40 40"
      aria-hidden="true"
    >
      <rect width="40" height="40" fill={groundOf(seed)} />
      <text x="20" y="20" dy=".36em" textAnchor="middle" fontSize={fontSize} fontWeight="650" fill="#fff">
        {letters}
      </text>
    </svg>
  )
}
