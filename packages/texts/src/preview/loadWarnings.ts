import { loadChunk } from '../format/loadChunk.ts'
import { previewChunks } from '../gen/languages.ts'
import type { SomeWarningTexts } from './warningTexts.ts'

/** Loads what the warnings of previews say in a language; those that do not load are in the English of the service. */
export async function loadWarnings(tag: string): Promise<SomeWarningTexts> {
  if (tag === 'en') return (await import('../gen/en/preview.ts')).preview
  return (await loadChunk(previewChunks, tag))?.warnings ?? {}
}
