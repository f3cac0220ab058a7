import { encode } from 'uqr'

/** A QR code as two SVG paths on a square grid of `size` modules. */
export interface QrShape {
  size: number
  /** One round dot per dark module. */
  dots: string
  /** The top-left corner of each finder pattern, in modules. */
  finders: readonly (readonly [x: number, y: number])[]
}

const finderSize = 7

/**
 * Encodes a text. `clearing` is the share of the width left empty in the middle for an image; the code is then
 * made with level Q, which survives the loss of a quarter of it.
 */
export function qrShape(text: string, clearing = 0): QrShape {
  const { data, size } = encode(text, { ecc: clearing > 0 ? 'Q' : 'M', border: 0 })
  const far = size - finderSize
  const finders = [
    [0, 0],
    [far, 0],
    [0, far],
  ] as const
  const radius = (size * clearing) / 2
  let dots = ''
  for (const [y, row] of data.entries()) {
    for (const [x, dark] of row.entries()) {
      if (!dark || inFinder(x, y, far) || inClearing(x, y, size, radius)) continue
      dots += `M${x + 0.07} ${y + 0.5}a.43.43 0 1 1 .86 0a.43.43 0 1 1-.86 0`
    }
  }
  return { size, dots, finders }
}

function inFinder(x: number, y: number, far: number): boolean {
  return (x < finderSize && y < finderSize) || (x >= far && y < finderSize) || (x < finderSize && y >= far)
}

function inClearing(x: number, y: number, size: number, radius: number): boolean {
  return Math.hypot(x + 0.5 - size / 2, y + 0.5 - size / 2) < radius
}
