export type * from '../convert/answers.ts'
export {
  type ChosenQuote,
  type Conversions,
  createConversions,
  type QuoteQuestion,
  type TransactionQuestion,
} from '../convert/conversions.ts'
