/** Returns a hue in degrees for a seed, ignoring case, as addresses are written with and without a checksum. */
export function hueOf(seed: string): number {
  return hashOf(seed.toLowerCase()) % 360
}

/** FNV-1a of 32 bits, with its upper half mixed into the lower. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return (hash ^ (hash >>> 15)) >>> 0
}
