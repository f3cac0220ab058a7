export type * from '../gen/hawser/directory/v1/directory_pb.ts'
export { DirectoryService } from '../gen/hawser/directory/v1/directory_pb.ts'
