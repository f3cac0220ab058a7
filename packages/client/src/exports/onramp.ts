export type * from '../onramp/answers.ts'
export {
  createOnramp,
  type Onramp,
  type OrderPageOptions,
  type Place,
  type PurchaseOrder,
  type PurchaseQuestion,
} from '../onramp/onramp.ts'
