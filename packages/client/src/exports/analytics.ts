export type * from '../gen/hawser/analytics/v1/analytics_pb.ts'
export { AnalyticsService } from '../gen/hawser/analytics/v1/analytics_pb.ts'
