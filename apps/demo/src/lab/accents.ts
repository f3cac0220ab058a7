/** Accents to try, each in a shade for dark and one for light backgrounds. */
export const accents = [
  { name: 'Buoy', dark: '#ff9d66', light: '#b4460b' },
  { name: 'Kelp', dark: '#6fdcaa', light: '#0c7350' },
  { name: 'Lamp', dark: '#f5d061', light: '#7d5b00' },
  { name: 'Dusk', dark: '#b9a8ff', light: '#5b45c7' },
  { name: 'Coral', dark: '#ff9aac', light: '#b8264a' },
] as const

/**
 * Returns black or white, whichever reads better on a colour of the form `#rrggbb` (WCAG relative luminance).
 */
export function readableOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(colour.slice(at, at + 2), 16) / 255),
  )
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return luminance > 0.179 ? '#0b1118' : '#ffffff'
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}

/** Returns the shade of an accent for another mode; custom colours stay. */
export function accentFor(mode: 'dark' | 'light', colour: string): string {
  return accents.find(({ dark, light }) => colour === dark || colour === light)?.[mode] ?? colour
}
