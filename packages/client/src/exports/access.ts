export type * from '../gen/hawser/access/v1/access_pb.ts'
export { AccessService } from '../gen/hawser/access/v1/access_pb.ts'
