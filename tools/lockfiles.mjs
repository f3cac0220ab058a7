// Fails when a lock file of the repository has a package in a version that is too new: newer versions of these packages are under other licences.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** The newest version that may be installed for tests, by the first pattern that fits the name. */
const limits = /** @type {const} */ ([
  [/^@reown\/walletkit$/, '1.2.4'],
  [/^@reown\//, '1.8.0'],
  [/^@walletconnect\/(core|sign-client|universal-provider)$/, '2.21.8'],
])
/** What the product itself never depends on: the lock file at the root has none of it. */
const neverShipped = /^@(reown|walletconnect)\//

/**
 * @param {string} path of the lock file in the repository
 * @param {{ packages?: Record<string, { name?: string, version?: string }> }} lock
 * @returns {string[]} what is wrong with it, a line each
 */
export function violations(path, { packages = {} }) {
  return Object.entries(packages).flatMap(([place, { name = nameOf(place), version = '' }]) => {
    const limit = limits.find(([pattern]) => pattern.test(name))?.[1]
    if (path === 'package-lock.json' && neverShipped.test(name))
      return [`${path}: ${name} is not for the product`]
    if (limit && !isAtMost(version, limit)) return [`${path}: ${name} ${version} is newer than ${limit}`]
    return []
  })
}

/** @param {string} place such as "node_modules/a/node_modules/@b/c" */
function nameOf(place) {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/**
 * Reports whether a version is at most the limit. It is false for a version that cannot be parsed.
 *
 * @param {string} version
 * @param {string} limit
 */
function isAtMost(version, limit) {
  if (!/^\d+\.\d+\.\d+/.test(version)) return false
  const [one, other] = [version, limit].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number))
  const at = [0, 1, 2].find((part) => one?.[part] !== other?.[part])
  return at === undefined || Number(one?.[at]) < Number(other?.[at])
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', '*package-lock.json']
  const paths = execFileSync('git', list, { encoding: 'utf8' }).split('\0').filter(Boolean)
  const found = paths.flatMap((path) => violations(path, JSON.parse(readFileSync(path, 'utf8'))))
  for (const line of found) console.error(line)
  if (found.length > 0 || paths.length === 0) process.exit(1)
}
