import { hueOf } from './hue.ts'

/** Symbols of up to this many characters are shown whole. */
const WHOLE = 5
/** Smaller icons show one letter. */
const ROOM_FOR_LETTERS = 28

/** Font sizes by number of characters, on the 40-unit square. */
const fontSizes = [15, 20, 16, 12.5, 10, 8.5]

export interface Monogram {
  letters: string
  /** Units of a square of 40. */
  fontSize: number
}

/** Returns the letters for a token, network or wallet without a logo: a short symbol, else its initials or beginning. */
export function monogramOf(name: string, size: number): Monogram {
  const letters = size < ROOM_FOR_LETTERS ? abbreviate(name, 1) : abbreviate(name, WHOLE)
  return { letters, fontSize: fontSizes[letters.length] ?? 8.5 }
}

function abbreviate(name: string, room: number): string {
  // Numbers are left out: "Anchors #6".
  const words = name
    .trim()
    .replace(/\s+#\S*$/, '')
    .split(/\s+/)
  const [first = ''] = words
  const characters = [...first]
  if (room === 1) return (characters[0] ?? '?').toUpperCase()
  if (words.length > 1) return words.slice(0, 2).map(initial).join('').toUpperCase()
  if (characters.length <= room) return first || '?'
  return characters.slice(0, 3).join('').toUpperCase()
}

function initial(word: string): string {
  return [...word][0] ?? ''
}

/** Returns a colour for a seed on which white text has a contrast of at least 4.5 (WCAG 2.2, 1.4.3). */
export function groundOf(seed: string): string {
  const hue = hueOf(seed)
  let lightness = 0.5
  while (luminance(hue, SATURATION, lightness) > DARK_ENOUGH) lightness -= 0.01
  return `hsl(${hue} ${SATURATION * 100}% ${Math.round(lightness * 100)}%)`
}

const SATURATION = 0.62
/** White has 4.6 times the contrast of a colour of this luminance. */
const DARK_ENOUGH = 1.05 / 4.6 - 0.05

/** Relative luminance of a colour, 0 to 1 (WCAG 2.2). Saturation and lightness are 0 to 1. */
export function luminance(hue: number, saturation: number, lightness: number): number {
  const chroma = saturation * Math.min(lightness, 1 - lightness)
  const channel = (turn: number) => {
    const k = (turn + hue / 30) % 12
    const value = lightness - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1))
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(0) + 0.7152 * channel(8) + 0.0722 * channel(4)
}
