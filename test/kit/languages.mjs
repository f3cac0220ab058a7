import { readFileSync } from 'node:fs'

const folder = new URL('../../packages/texts/languages/', import.meta.url)

/** The tags of the languages other than English. */
export const languageTags = Object.keys(readJson('index.json')).filter((tag) => tag !== 'en')

/**
 * Returns the texts of the frame in a language.
 *
 * @param {string} tag
 * @returns {{ approval: { title: { message: string } } }}
 */
export function readFrameTexts(tag) {
  return readJson(`${tag}/frame.json`)
}

/** @param {string} path */
function readJson(path) {
  return JSON.parse(readFileSync(new URL(path, folder), 'utf8'))
}
