import type { NameReadiness, NamesState } from '../types/names.ts'

const MIN_LABEL_LENGTH = 4
const MAX_LABEL_LENGTH = 64

/** Returns what is wrong with a label in lower case, regardless of who owns it; undefined when it is valid. */
export function labelProblem(label: string): NameReadiness | undefined {
  if (label === '') return 'empty'
  if (!/^[a-z0-9-]+$/.test(label)) return 'invalidLetters'
  if (label.length < MIN_LABEL_LENGTH) return 'tooShort'
  return label.length > MAX_LABEL_LENGTH ? 'tooLong' : undefined
}

export function nameReadiness({ label, suggestions, hasFailed }: NamesState): NameReadiness {
  const problem = labelProblem(label)
  if (problem) return problem
  if (hasFailed) return 'unavailable'
  const [wanted] = suggestions
  if (!wanted) return 'checking'
  if (wanted.registered) return 'registered'
  return wanted.available === false ? 'reserved' : 'ready'
}
