import { createHash } from 'node:crypto'
import type { Plugin, Rolldown } from 'vite'

const NAME = 'manifest.json'

/** The hashes of a build: SHA-256 in hex, of every file and of all of them together. */
interface Manifest {
  /** Of the lines `<hash>  <name>` in the order of the names, each with a newline, as `sha256sum` prints them. */
  readonly sha256: string
  readonly files: Readonly<Record<string, string>>
}

/** Writes manifest.json beside the build, so that a served frame can be compared with its sources. */
export function manifest(): Plugin {
  return {
    name: 'hawser-manifest',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        this.emitFile({
          type: 'asset',
          fileName: NAME,
          source: `${JSON.stringify(manifestOf(bundle), null, 2)}\n`,
        })
      },
    },
  }
}

function manifestOf(bundle: Rolldown.OutputBundle): Manifest {
  const files = Object.values(bundle)
    .map((file) => [file.fileName, sha256(file.type === 'chunk' ? file.code : file.source)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    sha256: sha256(files.map(([name, hash]) => `${hash}  ${name}\n`).join('')),
    files: Object.fromEntries(files),
  }
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
