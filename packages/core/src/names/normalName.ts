import { importModule } from '../importModule.ts'

/** Letters whose lower case is the normal form in every registry. */
const plainForm = /^[a-z0-9.-]+$/i

/** Reports whether a text may be a name: two or more labels without spaces, slashes and colons. */
export function isNameForm(text: string): boolean {
  return /^[^\s.:/]+(\.[^\s.:/]+)+$/.test(text)
}

/** Returns a name as it is shown while it is resolved: plain names in lower case, others as they are typed. */
export function shownName(text: string): string {
  return plainForm.test(text) ? text.toLowerCase() : text
}

/**
 * Returns the normal form of a name (ENSIP-15), by code that is loaded with the first name of other letters than a to
 * z; undefined for a text without one.
 *
 * @throws the error of the import when the code does not load.
 */
export async function normalName(text: string): Promise<string | undefined> {
  if (plainForm.test(text)) return text.toLowerCase()
  const { normalize } = await importModule(() => import('viem/ens'), 'normalize')
  try {
    return normalize(text)
  } catch {
    return undefined
  }
}
