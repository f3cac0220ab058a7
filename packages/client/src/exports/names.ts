export type * from '../gen/hawser/names/v1/names_pb.ts'
export { NamesService } from '../gen/hawser/names/v1/names_pb.ts'
