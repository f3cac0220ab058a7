import type { Rolldown } from 'vite'

/** Names the chunk of a language by its tag, so that requests for it can be told apart: `assets/de-[hash].js`. */
export function chunkFileNames({ facadeModuleId }: Rolldown.PreRenderedChunk): string {
  const [, tag] = /[\\/]gen[\\/]([\w-]+)[\\/]\w+\.ts$/.exec(facadeModuleId ?? '') ?? []
  return `assets/${tag ?? '[name]'}-[hash].js`
}
