export { Reason } from '../gen/hawser/fault/v1/reason_pb.ts'
