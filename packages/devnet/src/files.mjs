import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes a file so that a reader sees either the old content or the new one, never a part of it.
 *
 * @param {string} path
 * @param {string | Uint8Array} content
 */
export function writeAtomically(path, content) {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}.draft`
  writeFileSync(draft, content)
  renameSync(draft, path)
}
