/** Width and height in pixels. */
export interface Size {
  width: number
  height: number
}

/** Returns the size of a WebP picture, which its header has in one of three forms; undefined for another file. */
export function webpSize(file: Buffer): Size | undefined {
  const text = (at: number) => file.toString('latin1', at, at + 4)
  if (text(0) !== 'RIFF' || text(8) !== 'WEBP' || file.length < 30) return undefined
  switch (text(12)) {
    case 'VP8 ':
      return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = file.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}
