export type * from '../gen/hawser/sessions/v1/sessions_pb.ts'
export { SessionState, SmartSessionsService } from '../gen/hawser/sessions/v1/sessions_pb.ts'
