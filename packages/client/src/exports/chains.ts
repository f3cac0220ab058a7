export type * from '../gen/hawser/chains/v1/chains_pb.ts'
export { ChainsService } from '../gen/hawser/chains/v1/chains_pb.ts'
