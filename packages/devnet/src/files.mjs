import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes a file so that a reader sees either the old text or the new one, never a part of it.
 *
 * @param {string} path
 * @param {string} text
 */
export function writeAtomically(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}.draft`
  writeFileSync(draft, text)
  renameSync(draft, path)
}
