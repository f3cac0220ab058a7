import { describe, expect, it } from 'vitest'
import { composite, contrast, parseHex, type Rgba, readableOn } from './contrast.ts'

const white: Rgba = [255, 255, 255, 1]
const black: Rgba = [0, 0, 0, 1]

describe('contrast', () => {
  it('is 21 between black and white, in both directions', () => {
    expect(contrast(black, white)).toBeCloseTo(21)
    expect(contrast(white, black)).toBeCloseTo(21)
  })

  it('is 1 between equal colours', () => {
    expect(contrast(white, white)).toBe(1)
  })

  it('agrees with the table of WCAG for #767676, the lightest grey that passes on white', () => {
    expect(contrast(parseHex('#767676') ?? black, white)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(parseHex('#777777') ?? black, white)).toBeLessThan(4.5)
  })

  it('counts a translucent text as it is seen', () => {
    const half: Rgba = [0, 0, 0, 0.5]
    expect(composite(half, white)).toEqual([127.5, 127.5, 127.5, 1])
    expect(contrast(half, white)).toBeLessThan(contrast(black, white))
  })
})

describe('the text on an accent', () => {
  it('is dark on a light accent and white on a dark one', () => {
    expect(readableOn('#f5d061')).toBe('#0b1118')
    expect(readableOn('#0b65ad')).toBe('#ffffff')
  })

  it('has the better contrast of both for every grey', () => {
    for (let grey = 0; grey < 256; grey++) {
      const hex = `#${grey.toString(16).padStart(2, '0').repeat(3)}`
      const background = parseHex(hex) ?? black
      const [chosen, dark, light] = [readableOn(hex), '#0b1118', '#ffffff'].map((text) =>
        contrast(parseHex(text) ?? black, background),
      )
      expect(chosen).toBe(Math.max(dark ?? 0, light ?? 0))
    }
  })
})

describe('a colour', () => {
  it('is six hex digits and nothing else', () => {
    expect(parseHex('#0B65aD')).toEqual([11, 101, 173, 1])
    for (const colour of ['#fff', 'red', '#12345g', 'url(x)', '']) expect(parseHex(colour)).toBeUndefined()
  })
})
