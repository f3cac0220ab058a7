export type * from '../gen/hawser/wallet/v1/login_pb.ts'
export { DeviceState, EmailAction, LoginService } from '../gen/hawser/wallet/v1/login_pb.ts'
export type * from '../gen/hawser/wallet/v1/session_pb.ts'
export { SessionService } from '../gen/hawser/wallet/v1/session_pb.ts'
export type * from '../gen/hawser/wallet/v1/wallet_pb.ts'
export {
  AccountType,
  EmailChangeAction,
  FactorKind,
  WalletService,
} from '../gen/hawser/wallet/v1/wallet_pb.ts'
