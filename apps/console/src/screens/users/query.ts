import type { MessageInitShape } from '@bufbuild/protobuf'
import type { FindUsersRequestSchema } from '../../gen/hawser/admin/v1/users_pb.ts'

/** What to look for. */
export type FindRequest = MessageInitShape<typeof FindUsersRequestSchema>

const SHORTEST_ADDRESS = 20

/** Returns the request for what an operator entered: an id, an email or an address; undefined for anything else. */
export function findRequestOf(entered: string): FindRequest | undefined {
  const value = entered.trim()
  if (/^[0-9a-f]{32}$/i.test(value)) return { by: { case: 'id', value: value.toLowerCase() } }
  if (/^[^\s@]+@[^\s@]+$/.test(value)) return { by: { case: 'email', value } }
  if (value.length >= SHORTEST_ADDRESS && !/\s/.test(value)) return { by: { case: 'address', value } }
  return undefined
}
