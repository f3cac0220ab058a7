/** A colour of the sRGB space: red, green and blue from 0 to 255, alpha from 0 to 1. */
export type Rgba = readonly [red: number, green: number, blue: number, alpha: number]

/** The contrast that WCAG 2.2 requires of text at level AA. */
export const TEXT_CONTRAST = 4.5
/** The contrast that WCAG 2.2 requires of borders of fields and of the focus outline. */
export const SHAPE_CONTRAST = 3

/** Parses `#rrggbb`; undefined for anything else. */
export function parseHex(colour: string): Rgba | undefined {
  const found = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour.trim())
  if (!found) return undefined
  const [red = 0, green = 0, blue = 0] = found.slice(1).map((part) => Number.parseInt(part, 16))
  return [red, green, blue, 1]
}

/** Returns what is seen of a colour above another one that is opaque. */
export function composite([red, green, blue, alpha]: Rgba, [r, g, b]: Rgba): Rgba {
  const mix = (above: number, below: number) => above * alpha + below * (1 - alpha)
  return [mix(red, r), mix(green, g), mix(blue, b), 1]
}

/** Returns the contrast of a text on an opaque background, from 1 to 21. */
export function contrast(text: Rgba, background: Rgba): number {
  const [light, dark] = [luminance(composite(text, background)), luminance(background)].sort((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

/** Returns the text colour of the modal that reads better on a colour of the form `#rrggbb`. */
export function readableOn(colour: string): string {
  const background = parseHex(colour)
  const [dark, light] = ['#0b1118', '#ffffff'] as const
  if (!background) return light
  const contrastOf = (text: string) => contrast(parseHex(text) ?? background, background)
  return contrastOf(dark) >= contrastOf(light) ? dark : light
}

/** The relative luminance of WCAG, from 0 to 1. */
function luminance([red, green, blue]: Rgba): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((channel) => linear(channel / 255))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}
