import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const built = fileURLToPath(new URL('../../docs/dist', import.meta.url))

/** Serves the built documentation at /docs/, with the modal itself on its page "Live demo". */
export function documentation(): Plugin {
  return {
    name: 'hawser-documentation',
    generateBundle() {
      for (const entry of readdirSync(built, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue
        const file = join(entry.parentPath, entry.name)
        const fileName = `docs${file.slice(built.length).replaceAll('\\', '/')}`
        this.emitFile({
          type: 'asset',
          fileName,
          source: entry.name === 'demo.html' ? withDemo(file) : readFileSync(file),
        })
      }
    },
  }
}

/** Returns the page of the demo with the address of the modal, which it shows instead of pictures. */
function withDemo(file: string): string {
  const html = readFileSync(file, 'utf8')
  if (!html.includes('data-demo=""')) throw new Error(`${file} has no place for the demo`)
  return html.replace('data-demo=""', 'data-demo="/embed"')
}
