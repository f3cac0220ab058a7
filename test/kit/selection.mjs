import { basename } from 'node:path'

/** Whether the journeys of this process are played in Firefox. */
export const isFirefox = basename(process.argv[1] ?? '') === 'firefox.e2e.mjs'

/** The file whose journeys are being defined. */
let file = ''
let mainOnly = isFirefox

/**
 * The file of each journey by its title.
 *
 * @type {Map<string, string>}
 */
export const filesOfJourneys = new Map()

/**
 * Begins the definition of a file's journeys.
 *
 * @param {string} name of the file, without its extension
 * @param {boolean} onlyMain whether to leave out journeys that are not main ones
 */
export function beginFile(name, onlyMain) {
  file = name
  mainOnly = onlyMain
}

/** Returns whether journeys that are not main ones are left out of the current file. */
export function playsMainOnly() {
  return mainOnly
}

/**
 * Notes the file of a journey that is being defined.
 *
 * @param {string} title
 */
export function noteFile(title) {
  filesOfJourneys.set(title, file)
}
