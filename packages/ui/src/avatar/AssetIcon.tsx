import { useState } from 'react'
import { gradientOf } from './gradient.ts'

export interface AssetIconProps {
  /** Token symbol, network or wallet name; its first letters stand in for a missing image. */
  name: string
  src?: string | undefined
  /** CSS pixels. */
  size?: number
  shape?: 'circle' | 'square'
}

/** By number of letters, on the 40-unit square. */
const fontSizes = [15, 20, 15, 12]

/** The mark of a token, network or wallet. Decorative: its name stands beside it. */
export function AssetIcon({ name, src, size = 40, shape = 'circle' }: AssetIconProps) {
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
        draggable={false}
        onError={() => setBroken(src)}
      />
    )
  }
  const { base, shade } = gradientOf(name)
  const letters = size < 28 ? monogram(name).slice(0, 1) : monogram(name)
  return (
    <svg
      className="hw-asset-icon"
      data-shape={shape}
      width={size}
      height={size}
      viewBox="0 0 40 40"
      aria-hidden="true"
    >
      <rect width="40" height="40" fill={shade} />
      <rect width="40" height="40" fill={base} opacity=".28" />
      <text
        x="20"
        y="20"
        dy=".36em"
        textAnchor="middle"
        fontSize={fontSizes[letters.length] ?? 12}
        fontWeight="650"
        fill="#fff"
      >
        {letters}
      </text>
    </svg>
  )
}

function monogram(name: string): string {
  const words = name.trim().split(/\s+/)
  if (words.length > 1) return words.slice(0, 2).map(initial).join('').toUpperCase()
  return [...name.trim()].slice(0, 3).join('').toUpperCase() || '?'
}

function initial(word: string): string {
  return [...word][0] ?? ''
}
