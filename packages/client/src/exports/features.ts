export type * from '../gen/hawser/features/v1/features_pb.ts'
export { FeaturesService } from '../gen/hawser/features/v1/features_pb.ts'
