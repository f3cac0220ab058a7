import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** The files of the repository that pages are made of. Paths are relative to its root. */
export interface Repository {
  root: string
  /** Absolute paths of what was read. */
  read: Set<string>
  /** What is wrong with the sources, one line each. */
  problems: string[]
  exists: (path: string) => boolean
  /** Returns the text of a file. A missing file is reported as a problem, and its text is empty. */
  text: (path: string) => string
  /** Returns the content of a file that exists. */
  bytes: (path: string) => Buffer
}

/** Returns the repository that this package is in. */
export function repository(): Repository {
  const read = new Set<string>()
  const problems: string[] = []
  const exists = (path: string) => existsSync(root + path)
  return {
    root,
    read,
    problems,
    exists,
    text(path) {
      if (!exists(path)) {
        problems.push(`there is no ${path}`)
        return ''
      }
      read.add(root + path)
      return readFileSync(root + path, 'utf8')
    },
    bytes(path) {
      read.add(root + path)
      return readFileSync(root + path)
    },
  }
}
