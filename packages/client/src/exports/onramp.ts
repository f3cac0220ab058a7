export type * from '../onramp/answers.ts'
export {
  createOnramp,
  type Onramp,
  type OrderPageOptions,
  type Place,
  type PlacedOrder,
  type PurchaseOrder,
  type PurchaseQuestion,
} from '../onramp/onramp.ts'
