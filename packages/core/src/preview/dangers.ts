import type { PreviewState } from '../types/preview.ts'

/**
 * Returns the dangers of a preview, for the consent to them. Another danger is another text, also where the sentence is the
 * same and its subject is not.
 */
export function dangersOf(preview: PreviewState | undefined): readonly string[] {
  if (typeof preview !== 'object') return []
  return preview.warnings
    .filter(({ severity }) => severity === 'danger')
    .map(({ text, subject }) => `${text} ${subject}`)
}
