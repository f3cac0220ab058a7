import type { MessageInitShape } from '@bufbuild/protobuf'
import type { FindOrdersRequestSchema } from '../../gen/hawser/admin/v1/orders_pb.ts'

/** What to look for, without a cursor. */
export type FindOrders = Pick<MessageInitShape<typeof FindOrdersRequestSchema> & object, 'by'>

const SHORTEST_ADDRESS = 20

/** Returns what an operator entered as a request: the id of an order, or an address; undefined for anything else. */
export function findOrdersOf(entered: string): FindOrders | undefined {
  const value = entered.trim()
  if (/^[0-9a-z]{26}$/i.test(value)) return { by: { case: 'id', value: value.toUpperCase() } }
  if (value.length >= SHORTEST_ADDRESS && !/\s/.test(value)) return { by: { case: 'address', value } }
  return undefined
}
