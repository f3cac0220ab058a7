import type { ApprovalReference } from '../types/access.ts'
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

/** Returns the approval that a danger of a preview is about; undefined if there is none. */
export function dangerousApproval(preview: PreviewState | undefined): ApprovalReference | undefined {
  if (typeof preview !== 'object') return undefined
  const doubted = preview.warnings
    .filter(({ severity }) => severity === 'danger')
    .flatMap(({ subject, value }) => [subject.toLowerCase(), value.toLowerCase()])
  const found = preview.approvals.find(
    ({ spender, isRevoked }) => !isRevoked && doubted.includes(spender.toLowerCase()),
  )
  return found && { token: found.contract, spender: found.spender }
}
