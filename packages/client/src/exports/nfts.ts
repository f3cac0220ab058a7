export type * from '../gen/hawser/nfts/v1/nfts_pb.ts'
export { NftsService } from '../gen/hawser/nfts/v1/nfts_pb.ts'
