import { existsSync } from 'node:fs'
import { API, type Project, SymbolFlags, type Symbol as TypeSymbol } from 'typescript/unstable/sync'
import type { Repository } from '../generator/repository.ts'
import type { Source } from '../generator/types.ts'

/** An entry of a package whose exports have a page. */
interface Entry {
  /** As it is imported. */
  name: string
  /** Name of the page's file. */
  page: string
  /** Built declarations, in the repository. */
  file: string
}

const entries: readonly Entry[] = [
  { name: '@hawser/react', page: 'react', file: 'packages/react/dist/exports/index.d.ts' },
  { name: '@hawser/core', page: 'core', file: 'packages/core/dist/exports/public.d.ts' },
  { name: '@hawser/connectors', page: 'connectors', file: 'packages/connectors/dist/exports/index.d.ts' },
  { name: '@hawser/siwe', page: 'siwe', file: 'packages/siwe/dist/exports/index.d.ts' },
  { name: '@hawser/siwe/server', page: 'siwe-server', file: 'packages/siwe/dist/exports/server.d.ts' },
  { name: '@hawser/webhooks', page: 'webhooks', file: 'packages/webhooks/dist/exports/index.d.ts' },
  { name: '@hawser/wagmi', page: 'wagmi', file: 'packages/wagmi/dist/exports/index.d.ts' },
]

/** What kinds of exports a page lists, in this order. */
const kinds = ['Hooks', 'Components', 'Functions', 'Values', 'Types'] as const

interface Export {
  name: string
  kind: (typeof kinds)[number]
  about: string
  code: string
}

/** Returns a page for each entry of the packages for pages: every export with its comment and its declaration. */
export function typePages(sources: Repository): Source[] {
  const built = entries.filter(({ file }) => existsSync(sources.root + file))
  for (const { file } of entries.filter((entry) => !built.includes(entry))) sources.text(file)
  const hidden = (path: string) => (isForeign(path) ? false : undefined)
  const api = new API({ cwd: sources.root, fs: { fileExists: hidden, directoryExists: hidden } })
  try {
    const files = built.map(({ file }) => sources.root + file)
    const snapshot = api.updateSnapshot({ openFiles: files })
    const packages = built.map((entry, index) => {
      const project = snapshot.getDefaultProjectForFile(files[index] ?? '')
      if (!project) throw new Error(`TypeScript does not open ${entry.file}`)
      return { entry, path: `reference/${entry.page}.html`, exported: exportsOf(project, files[index] ?? '') }
    })
    const namesOf = ({ path, exported }: (typeof packages)[number]) =>
      exported.map(({ name }) => [name, `${path}#${name.toLowerCase()}`] as const)
    const all = packages.flatMap(namesOf)
    return packages.map((one) => {
      const { entry, path, exported } = one
      for (const { name } of exported.filter(({ about }) => about === ''))
        sources.problems.push(`${name} of ${entry.name} has no doc comment`)
      return {
        path,
        title: entry.name,
        file: `docs/reference/${entry.page}.md`,
        about: `Everything that ${entry.name} exports, with its types.`,
        markdown: page(entry, exported),
        // Last, so that the names of this package win over those of others.
        names: new Map([...all, ...namesOf(one)]),
      }
    })
  } finally {
    api.close()
  }
}

/**
 * Reports whether a path belongs to a third-party package. Reading their declarations takes most of the time,
 * and the reference shows only this repository's comments.
 */
function isForeign(path: string): boolean {
  return /\/node_modules\/(?!@hawser(\/|$))/.test(path)
}

function page({ name }: Entry, all: readonly Export[]): string {
  const parts = kinds.flatMap((kind) => {
    const found = all.filter((one) => one.kind === kind)
    if (found.length === 0) return []
    const items = found.map(
      ({ name, about, code }) => `### ${name}\n\n${about}\n\n\`\`\`typescript\n${code}\n\`\`\``,
    )
    return [`## ${kind}`, ...items]
  })
  return [`# ${name}`, `What \`import { … } from '${name}'\` can name.`, ...parts].join('\n\n')
}

function exportsOf(project: Project, file: string): Export[] {
  const { checker, program } = project
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  if (!module) throw new Error(`${file} exports nothing`)
  return checker.getExportsOfModule(module).map((symbol) => {
    // The entry re-exports what other files declare.
    const target = symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    const code = declarationsOf(project, target)
    return {
      name: symbol.name,
      kind: kindOf(symbol.name, code),
      about: target.getDocumentationComment(checker).replaceAll('<', '&lt;'),
      code,
    }
  })
}

function declarationsOf(project: Project, symbol: TypeSymbol): string {
  return symbol.declarations
    .map((declaration) => declaration.resolve(project)?.getText() ?? '')
    .map((text) => text.replace(/^export (declare )?/, ''))
    .map((text) => (/^[\w$]+:/.test(text) ? `const ${text}` : text))
    .join('\n')
    .replaceAll('import("react/jsx-runtime").', '')
}

function kindOf(name: string, code: string): Export['kind'] {
  if (/^(interface|type)\b/.test(code)) return 'Types'
  if (/^use[A-Z]/.test(name)) return 'Hooks'
  if (/^function [A-Z]/.test(code)) return 'Components'
  return /^function\b/.test(code) ? 'Functions' : 'Values'
}
