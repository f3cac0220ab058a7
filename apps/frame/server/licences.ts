import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

const NAME = 'licences.txt'

/** Returns plugins that write an asset with the licence of each package that is in the pages and workers of a build. */
export function licences(): { readonly ofPages: Plugin; readonly ofWorkers: Plugin } {
  const packages = new Set<string>()
  const note = (bundle: Rolldown.OutputBundle) => {
    for (const folder of packagesOf(bundle)) packages.add(folder)
  }
  return {
    ofWorkers: { name: 'hawser-licences-of-workers', generateBundle: (_, bundle) => note(bundle) },
    // Workers are built before the bundle of the page that starts them is written.
    ofPages: {
      name: 'hawser-licences',
      apply: 'build',
      generateBundle(_, bundle) {
        note(bundle)
        const texts = [...packages].map(describe).sort()
        this.emitFile({
          type: 'asset',
          name: NAME,
          source: `${[...new Set(texts)].join('\n')}`,
        })
      },
    },
  }
}

/** Returns the folders of the packages in a bundle. */
function packagesOf(bundle: Rolldown.OutputBundle): string[] {
  return Object.values(bundle).flatMap((file) => {
    if (file.type !== 'chunk') return []
    return file.moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? [])
  })
}

/** Returns the section of a package: its name, version and licence. */
function describe(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((each) => /^licen[cs]e(\.|$)/i.test(each))
  if (!file) throw new Error(`${name} has no file with its licence`)
  const text = readFileSync(join(folder, file), 'utf8').trim()
  return `${name} ${version} (${license})\n\n${text}\n`
}
