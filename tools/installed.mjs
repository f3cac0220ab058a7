// Fails when npm installed another package than the lock file names: npm resolves again what does not match it, without a word.
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/**
 * @typedef {{ packages?: Record<string, { version?: string, integrity?: string, link?: boolean }> }} Lock
 * @param {Lock} lock the lock file of the repository
 * @param {Lock} installed the one that npm wrote beside what it installed
 * @returns {string[]} what differs, a line each
 */
export function differences(lock, installed) {
  return Object.entries(installed.packages ?? {}).flatMap(([place, { version, integrity, link }]) => {
    if (link || !place.includes('node_modules/')) return []
    const wanted = lock.packages?.[place]
    if (!wanted) return [`${place} ${version} is installed, and not in the lock file`]
    if (wanted.version !== version || wanted.integrity !== integrity)
      return [`${place} ${version} is installed, and the lock file has ${wanted.version}`]
    return []
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const read = (/** @type {string} */ path) => JSON.parse(readFileSync(path, 'utf8'))
  const found = differences(read('package-lock.json'), read('node_modules/.package-lock.json'))
  for (const line of found) console.error(line)
  if (found.length > 0) process.exit(1)
}
