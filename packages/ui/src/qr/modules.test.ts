import { encode } from 'uqr'
import { describe, expect, it } from 'vitest'
import { qrShape } from './modules.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const count = (dots: string) => dots.split('M').length - 1

describe('a QR code', () => {
  it('draws every dark module outside its three finders once', () => {
    const { data, size } = encode(address, { ecc: 'M', border: 0 })
    const finder = (x: number, y: number) => ((x < 7 || x >= size - 7) && y < 7) || (x < 7 && y >= size - 7)
    const dark = data.flatMap((row, y) => row.filter((module, x) => module && !finder(x, y)))
    const shape = qrShape(address)
    expect(shape.size).toBe(size)
    expect(shape.finders).toHaveLength(3)
    expect(count(shape.dots)).toBe(dark.length)
  })

  it('omits less for an image in the middle than its error correction can restore', () => {
    const whole = encode(address, { ecc: 'Q', border: 0 })
    const radius = (whole.size * 0.26) / 2
    const covered = (Math.PI * radius ** 2) / whole.size ** 2
    // Level Q restores 25 % of the codewords; a safety factor of three covers their interleaving.
    expect(covered).toBeLessThan(0.25 / 3)
  })

  it('is denser in error correction with an image than without', () => {
    expect(qrShape(address, 0.26).size).toBeGreaterThanOrEqual(qrShape(address).size)
  })
})
