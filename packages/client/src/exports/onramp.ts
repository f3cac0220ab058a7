export type * from '../gen/hawser/onramp/v1/onramp_pb.ts'
export { OnrampService } from '../gen/hawser/onramp/v1/onramp_pb.ts'
export type * from '../gen/hawser/onramp/v1/order_pb.ts'
