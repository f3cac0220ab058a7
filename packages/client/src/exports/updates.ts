export type * from '../gen/hawser/updates/v1/updates_pb.ts'
export { UpdatesService } from '../gen/hawser/updates/v1/updates_pb.ts'
