import { useId, useState } from 'react'
import { gradientOf } from './gradient.ts'

export interface AvatarProps {
  /** What the gradient is derived from: an address. */
  seed: string
  /** Shown instead of the gradient, unless it cannot be loaded. */
  src?: string | undefined
  /** CSS pixels. */
  size?: number
}

/** The avatar of an account. Decorative: its name or address is shown beside it. */
export function Avatar({ seed, src, size = 40 }: AvatarProps) {
  const id = useId()
  const [broken, setBroken] = useState<string>()
  if (src && src !== broken) {
    return (
      <img
        className="hw-avatar"
        src={src}
        alt=""
        width={size}
        height={size}
        draggable={false}
        onError={() => setBroken(src)}
      />
    )
  }
  const { base, glow, shade, tilt } = gradientOf(seed)
  return (
    <svg className="hw-avatar" width={size} height={size} viewBox="0 0 40 40" aria-hidden="true">
      <defs>
        <radialGradient id={`${id}g`} cx="28%" cy="22%" r="70%">
          <stop stopColor={glow} />
          <stop offset="1" stopColor={glow} stopOpacity="0" />
        </radialGradient>
        <radialGradient id={`${id}s`} cx="80%" cy="88%" r="75%">
          <stop stopColor={shade} />
          <stop offset="1" stopColor={shade} stopOpacity="0" />
        </radialGradient>
      </defs>
      <g transform={`rotate(${tilt} 20 20)`}>
        <circle cx="20" cy="20" r="20" fill={base} />
        <circle cx="20" cy="20" r="20" fill={`url(#${id}s)`} />
        <circle cx="20" cy="20" r="20" fill={`url(#${id}g)`} />
      </g>
    </svg>
  )
}
