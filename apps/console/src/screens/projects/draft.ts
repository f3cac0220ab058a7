import type { MessageInitShape } from '@bufbuild/protobuf'
import type {
  AdminProject,
  CreateProjectRequestSchema,
  UpdateProjectRequestSchema,
} from '../../gen/hawser/admin/v1/projects_pb.ts'
import { texts } from '../../texts.ts'

const MOST_ORIGINS = 100
const LONGEST_NAME = 80
const HIGHEST_RATE = 1_000_000
const LARGEST_BURST = 10_000_000

/** A project as the form has it: texts that may not be valid yet. */
export interface ProjectDraft {
  readonly name: string
  /** One origin per line. */
  readonly origins: string
  readonly anyOrigin: boolean
  readonly rate: string
  readonly burst: string
}

/** What is wrong with the fields of a draft. */
export type DraftProblems = Partial<Record<'name' | 'origins' | 'rate' | 'burst', string>>

export const emptyDraft: ProjectDraft = { name: '', origins: '', anyOrigin: false, rate: '', burst: '' }

/** Returns the draft of a project that exists. */
export function draftOf({ name, allowedOrigins, requestsPerSecond, burst }: AdminProject): ProjectDraft {
  return {
    name,
    origins: allowedOrigins.join('\n'),
    anyOrigin: allowedOrigins.length === 0,
    rate: requestsPerSecond ? String(requestsPerSecond) : '',
    burst: burst ? String(burst) : '',
  }
}

/** Returns the origins of a draft. */
export function originsOf({ origins, anyOrigin }: ProjectDraft): string[] {
  if (anyOrigin) return []
  return [
    ...new Set(
      origins
        .split(/[\s,]+/)
        .filter(Boolean)
        .map((origin) => origin.replace(/\/$/, '')),
    ),
  ]
}

/** Returns what the server would refuse, as far as the page can tell; empty for a draft that can be sent. */
export function problemsOf(draft: ProjectDraft): DraftProblems {
  const { invalid } = texts.projects
  const found: Record<keyof DraftProblems, string | undefined> = {
    name: problemOfName(draft.name.trim()),
    origins: problemOfOrigins(draft),
    rate: isNumber(draft.rate, HIGHEST_RATE) ? undefined : invalid.rate,
    burst: isWhole(draft.burst)
      ? Number(draft.burst) > 0 && !(Number(draft.rate) > 0)
        ? invalid.burstWithoutRate
        : undefined
      : invalid.burst,
  }
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem))
}

function problemOfName(name: string): string | undefined {
  if (name === '') return texts.projects.invalid.nameMissing
  return [...name].length > LONGEST_NAME ? texts.projects.invalid.nameLong : undefined
}

function problemOfOrigins(draft: ProjectDraft): string | undefined {
  const { invalid } = texts.projects
  if (draft.anyOrigin) return undefined
  const origins = originsOf(draft)
  if (origins.length === 0) return invalid.originsMissing
  if (origins.length > MOST_ORIGINS) return invalid.originsMany
  const wrong = origins.find((origin) => !/^[a-z][a-z0-9+.-]*:\/\/[^/?#\s@]+$/i.test(origin))
  return wrong && invalid.origin(wrong)
}

function isNumber(text: string, most: number): boolean {
  return text.trim() === '' || (/^\d+(\.\d+)?$/.test(text.trim()) && Number(text) <= most)
}

function isWhole(text: string): boolean {
  return isNumber(text, LARGEST_BURST) && !text.includes('.')
}

/** Returns the request that creates a project. */
export function createRequestOf(draft: ProjectDraft): MessageInitShape<typeof CreateProjectRequestSchema> {
  return { name: draft.name.trim(), origins: { patterns: originsOf(draft) }, ...rateOf(draft) }
}

/** Returns the request that changes what differs between a project and its draft; undefined where nothing does. */
export function updateRequestOf(
  project: AdminProject,
  draft: ProjectDraft,
): MessageInitShape<typeof UpdateProjectRequestSchema> | undefined {
  const name = draft.name.trim()
  const patterns = originsOf(draft)
  const rate = { requestsPerSecond: Number(draft.rate), burst: Number(draft.burst) }
  const changes = {
    ...(name !== project.name && { name }),
    ...(patterns.join('\n') !== project.allowedOrigins.join('\n') && { origins: { patterns } }),
    ...((rate.requestsPerSecond !== project.requestsPerSecond || rate.burst !== project.burst) && { rate }),
  }
  if (Object.keys(changes).length === 0) return undefined
  return { id: project.id, changedAt: project.changedAt, ...changes }
}

function rateOf({ rate, burst }: ProjectDraft) {
  return Number(rate) > 0 ? { rate: { requestsPerSecond: Number(rate), burst: Number(burst) } } : {}
}
