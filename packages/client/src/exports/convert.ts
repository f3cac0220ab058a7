export type * from '../gen/hawser/convert/v1/convert_pb.ts'
export { ConvertService, QuoteSchema, QuoteService } from '../gen/hawser/convert/v1/convert_pb.ts'
