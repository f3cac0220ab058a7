export type * from '../gen/hawser/balances/v1/balances_pb.ts'
export { BalancesService } from '../gen/hawser/balances/v1/balances_pb.ts'
