import type { MessageInitShape } from '@bufbuild/protobuf'
import type { FindSmartSessionsRequestSchema } from '../../gen/hawser/admin/v1/sessions_pb.ts'

/** Whose sessions to look for, without a cursor. */
export type FindSessions = Pick<MessageInitShape<typeof FindSmartSessionsRequestSchema> & object, 'by'>

/**
 * Returns the request for what an operator entered: an address, the id of a project, or nothing for the sessions of
 * everybody; undefined for anything else.
 */
export function findSessionsOf(entered: string): FindSessions | undefined {
  const value = entered.trim()
  if (value === '') return {}
  if (/^0x[0-9a-f]{40}$/i.test(value)) return { by: { case: 'address', value } }
  if (/^[0-9a-f]{32}$/i.test(value)) return { by: { case: 'projectId', value: value.toLowerCase() } }
  return undefined
}
