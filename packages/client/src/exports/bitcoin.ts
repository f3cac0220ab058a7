export type * from '../gen/hawser/bitcoin/v1/bitcoin_pb.ts'
export { BitcoinService } from '../gen/hawser/bitcoin/v1/bitcoin_pb.ts'
