import { asksChunks } from '../gen/asks.ts'
import { asks } from '../gen/en/asks.ts'
import type { AsksTexts } from '../gen/types.ts'

export type { AsksTexts } from '../gen/types.ts'

/** What is said of what a site asks in English, which is built in. */
export const englishAsks: AsksTexts = asks

/** Loads what is said of what a site asks in a language; in English when that does not load. */
export async function loadAsks(tag: string): Promise<AsksTexts> {
  try {
    const load = Object.entries(asksChunks).find(([name]) => name === tag)?.[1]
    return load ? (await load()).asks : englishAsks
  } catch {
    return englishAsks
  }
}
