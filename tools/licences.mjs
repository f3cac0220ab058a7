// Fails when something that Hawser ships is under a licence that is not allowed: the Go modules that are linked into its programs, and the npm
// packages that its packages and the wallet's pages depend on.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** SPDX identifiers of the licences that are allowed. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MPL-2.0',
  'Unlicense',
])

/** Modules under other licences, with the reason that they may be linked. NOTICE names them. */
const exceptions = /** @type {Record<string, { licence: string, reason: string }>} */ ({
  'github.com/ethereum/go-ethereum': {
    licence: 'LGPL-3.0-only',
    reason: 'unmodified library packages, which anybody can replace and link again',
  },
  'github.com/gagliardetto/treeout': {
    licence: 'NOASSERTION',
    reason: 'solana-go (Apache-2.0), of the same author, imports it; the module has no licence file',
  },
  'github.com/mimoo/StrobeGo': {
    licence: 'NOASSERTION',
    reason:
      'merlin (MIT) imports it; the files of Keccak are of the Go authors (BSD-3-Clause), the module has no licence file',
  },
})

/** The Go programs of a release. */
const programs = ['./gateway/cmd/hawser', 'github.com/nats-io/nats-server/v2']

/** Pages that are in the binary. */
const pages = ['apps/console', 'apps/frame', 'apps/handoff']

/** Phrases by which the text of a licence is recognised, in lower case and without punctuation and line breaks. */
const marks = /** @type {readonly [licence: string, phrases: string[], without?: string][]} */ ([
  ['AGPL-3.0-only', ['gnu affero general public license version 3 19 november 2007']],
  ['LGPL-3.0-only', ['gnu lesser general public license version 3 29 june 2007']],
  ['GPL-3.0-only', ['gnu general public license version 3 29 june 2007']],
  ['GPL-2.0-only', ['gnu general public license version 2 june 1991']],
  ['Apache-2.0', ['apache license version 2 0 january 2004']],
  ['Apache-2.0', ['licensed under the apache license version 2 0']],
  ['MPL-2.0', ['mozilla public license version 2 0']],
  ['BSL-1.1', ['business source license 1 1']],
  [
    'MIT',
    [
      'permission is hereby granted free of charge to any person obtaining a copy',
      'the software is provided as is',
    ],
  ],
  [
    'BSD-3-Clause',
    ['redistribution and use in source and binary forms', 'endorse or promote products derived from'],
  ],
  [
    'BSD-2-Clause',
    ['redistribution and use in source and binary forms'],
    'endorse or promote products derived from',
  ],
  [
    'ISC',
    [
      'permission to use copy modify and or distribute this software for any purpose',
      'provided that the above copyright notice',
    ],
  ],
  [
    'ISC',
    [
      'permission to use copy modify and distribute this software for any purpose',
      'provided that the above copyright notice',
    ],
  ],
  ['CC0-1.0', ['cc0 1 0 universal']],
  ['Unlicense', ['this is free and unencumbered software released into the public domain']],
])

/**
 * Returns the licences whose text is in a file.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function licencesIn(text) {
  const words = text.toLowerCase().replace(/[^a-z0-9]+/g, ' ')
  const found = marks.flatMap(([licence, phrases, without]) =>
    phrases.every((phrase) => words.includes(phrase)) && !(without && words.includes(without))
      ? [licence]
      : [],
  )
  return [...new Set(found)]
}

/**
 * Reports whether an SPDX expression leaves a choice that is allowed: all operands of AND, one of those of OR.
 *
 * @param {string} expression such as "(MIT OR GPL-3.0-only)"
 */
export function isAllowed(expression) {
  const flat = expression.replace(/[()]/g, ' ')
  return flat.split(/\bOR\b/).some((choice) => choice.split(/\bAND\b/).every((id) => allowed.has(id.trim())))
}

/**
 * @typedef {object} Dependency
 * @property {string} name with its version
 * @property {string} [licence] SPDX expression; missing if none was found
 */

/**
 * Returns a line for each dependency whose licence is missing or not allowed.
 *
 * @param {Dependency[]} dependencies
 */
export function violations(dependencies) {
  return dependencies.flatMap(({ name, licence }) => {
    if (!licence) return [`${name}: no licence was found`]
    return isAllowed(licence) ? [] : [`${name}: ${licence} is not allowed`]
  })
}

/** @returns {Dependency[]} the modules that are linked into the programs, on every platform of a release */
function goModules() {
  const format = '{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}'
  const lines = new Set(
    [
      ['linux', 'amd64'],
      ['darwin', 'arm64'],
    ].flatMap(([GOOS, GOARCH]) =>
      execFileSync('go', ['list', '-deps', '-f', format, ...programs], {
        encoding: 'utf8',
        env: { ...process.env, GOOS, GOARCH, CGO_ENABLED: '0' },
        maxBuffer: 1 << 26,
      }).split('\n'),
    ),
  )
  const modules = [...lines].filter(Boolean).map((line) => line.split('\t'))
  return modules
    .filter(([path = '']) => !exceptions[path])
    .map(([path = '', version, dir = '']) => ({ name: `${path} ${version}`, licence: licenceOf(dir) }))
}

/** @param {string} dir of a module's files */
function licenceOf(dir) {
  const files = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isFile())
  const texts = files.filter(({ name }) => /^(un)?licen[cs]e|^copying/i.test(name))
  const found = texts.flatMap(({ name }) => licencesIn(readFileSync(join(dir, name), 'utf8')))
  return [...new Set(found)].join(' AND ')
}

/**
 * Returns the workspaces that are published, and those of the pages in the binary.
 *
 * @param {string} root of the repository
 */
export function shippedWorkspaces(root) {
  const isPublished = (/** @type {string} */ workspace) =>
    !JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8')).private
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)
  return [...packages.filter(isPublished), ...pages]
}

/**
 * Returns the packages that the shipped workspaces depend on, each where npm installed it. Their peers count too: `@hawser/browser` contains them.
 *
 * @param {{ packages: Record<string, LockedPackage> }} lock
 * @param {string[]} workspaces
 * @returns {Dependency[]}
 *
 * @typedef {{ version?: string, license?: string, resolved?: string, link?: boolean,
 *   dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>,
 *   peerDependencies?: Record<string, string> }} LockedPackage
 */
export function npmPackages({ packages }, workspaces) {
  const seen = new Set(workspaces)
  const queue = [...workspaces]
  /** @type {Dependency[]} */
  const dependencies = []
  for (let place = queue.shift(); place !== undefined; place = queue.shift()) {
    const entry = packages[place]
    if (place.includes('node_modules/') && entry)
      dependencies.push({ name: `${nameOf(place)} ${entry.version}`, licence: entry.license ?? '' })
    const peers = place.includes('node_modules/') ? {} : entry?.peerDependencies
    for (const name of Object.keys({ ...entry?.dependencies, ...entry?.optionalDependencies, ...peers })) {
      const found = resolve(packages, place, name)
      if (!found || seen.has(found)) continue
      seen.add(found)
      queue.push(found)
    }
  }
  return dependencies
}

/**
 * Finds what a package imports by a name, as Node.js does: in the nearest node_modules above it.
 *
 * @param {Record<string, LockedPackage>} packages
 * @param {string} from
 * @param {string} name
 */
function resolve(packages, from, name) {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/')))) {
    const place = `${base ? `${base}/` : ''}node_modules/${name}`
    const entry = packages[place]
    if (entry?.link) return entry.resolved
    if (entry) return place
    if (!base) return undefined
  }
}

/** @param {string} place such as "node_modules/a/node_modules/@b/c" */
function nameOf(place) {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const modules = goModules()
  const packages = npmPackages(JSON.parse(readFileSync('package-lock.json', 'utf8')), shippedWorkspaces('.'))
  const found = violations([...modules, ...packages])
  for (const line of found) console.error(line)
  if (found.length > 0 || modules.length === 0 || packages.length === 0) process.exit(1)
  console.log(
    `licences: ${modules.length} Go modules and ${packages.length} npm packages are under allowed ones`,
  )
  for (const [name, { licence, reason }] of Object.entries(exceptions))
    console.log(`licences: by exception, ${name}: ${licence}; ${reason}`)
}
