import { hashOf } from './hue.ts'

/** Three colours and an angle, derived from a seed. */
export interface Gradient {
  base: string
  glow: string
  shade: string
  /** Degrees. */
  tilt: number
}

/** Derives a gradient from a text, ignoring case, so that checksummed and plain addresses look the same. */
export function gradientOf(seed: string): Gradient {
  const hash = hashOf(seed.toLowerCase())
  const hue = hash % 360
  const step = 40 + ((hash >>> 9) % 60)
  return {
    base: `hsl(${hue} 78% 62%)`,
    glow: `hsl(${(hue + step) % 360} 92% 76%)`,
    shade: `hsl(${(hue + 360 - step) % 360} 70% 42%)`,
    tilt: (hash >>> 16) % 360,
  }
}
