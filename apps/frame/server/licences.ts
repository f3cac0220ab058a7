import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

const NAME = 'licences.txt'

/** The text of a licence that is the same for every package, for those that ship without a file. */
const apache = new URL('../../../LICENSE', import.meta.url)

/** The text of the MIT licence, of packages that ship without a file but name their author. */
const mit = (author: string) => `Copyright (c) ${author}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`

/** Packages without a file, with the source whose first comment has the licence of the parts that are under another one. */
const comments: Readonly<Record<string, string | undefined>> = {
  '@bufbuild/protobuf': 'dist/esm/wire/varint.js',
}

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
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return `${name} ${version} (${license})\n\n${textOf(folder, { name, license, author })}\n`
}

interface Package {
  readonly name: string
  readonly license: string
  readonly author?: string | { readonly name: string }
}

function textOf(folder: string, { name, license, author }: Package): string {
  const file = readdirSync(folder).find((each) => /^licen[cs]e(\.|$)/i.test(each))
  if (file) return readFileSync(join(folder, file), 'utf8').trim()
  if (license === 'MIT' && author) return mit(typeof author === 'string' ? author : author.name)
  const source = comments[name]
  if (license !== 'Apache-2.0' && !source) throw new Error(`${name} has no file with its licence`)
  const comment = source ? firstComment(readFileSync(join(folder, source), 'utf8')) : ''
  return [readFileSync(apache, 'utf8').trim(), comment].filter(Boolean).join('\n\n')
}

/** Returns the lines of comment that a source begins with. */
function firstComment(source: string): string {
  const lines = source.split('\n')
  const end = lines.findIndex((line) => !line.startsWith('//'))
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^\/\/ ?/, ''))
    .join('\n')
}
