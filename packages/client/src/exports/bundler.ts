export type * from '../gen/hawser/bundler/v1/bundler_pb.ts'
export { CallsService } from '../gen/hawser/bundler/v1/bundler_pb.ts'
