/** A hue in degrees, the same for the same seed on every machine. Case does not matter: addresses are written either way. */
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
