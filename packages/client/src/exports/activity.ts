export type * from '../gen/hawser/activity/v1/activity_pb.ts'
export { ActivityService } from '../gen/hawser/activity/v1/activity_pb.ts'
