import type { MessageInitShape } from '@bufbuild/protobuf'
import type { FindNamesRequestSchema } from '../../gen/hawser/admin/v1/names_pb.ts'

/** What to look for. */
export type FindNames = MessageInitShape<typeof FindNamesRequestSchema>

/** Returns the request for what an operator entered: an address, or a whole name; undefined for anything else. */
export function findNamesOf(entered: string): FindNames | undefined {
  const value = entered.trim()
  if (/^0x[0-9a-f]{40}$/i.test(value)) return { by: { case: 'address', value } }
  if (/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(value)) return { by: { case: 'name', value: value.toLowerCase() } }
  return undefined
}

/** Returns a label to block as it was entered, alone or with its zone; undefined for what is no label. */
export function labelOf(entered: string): string | undefined {
  const [label = ''] = entered.trim().toLowerCase().split('.')
  return /^[a-z0-9-]{3,64}$/.test(label) ? label : undefined
}
