import { type Client, createClient, type Transport } from '@connectrpc/connect'
import { CountService } from '../gen/hawser/admin/v1/analytics_pb.ts'
import { AuditService } from '../gen/hawser/admin/v1/audit_pb.ts'
import { BundlerService } from '../gen/hawser/admin/v1/bundler_pb.ts'
import { HealthService } from '../gen/hawser/admin/v1/health_pb.ts'
import { NameService } from '../gen/hawser/admin/v1/names_pb.ts'
import { OperatorService } from '../gen/hawser/admin/v1/operators_pb.ts'
import { OrderService } from '../gen/hawser/admin/v1/orders_pb.ts'
import { PasskeyService } from '../gen/hawser/admin/v1/passkeys_pb.ts'
import { ProjectService } from '../gen/hawser/admin/v1/projects_pb.ts'
import { ProviderService } from '../gen/hawser/admin/v1/providers_pb.ts'
import { SmartSessionService } from '../gen/hawser/admin/v1/sessions_pb.ts'
import { SettingService } from '../gen/hawser/admin/v1/settings_pb.ts'
import { UserService } from '../gen/hawser/admin/v1/users_pb.ts'

/** The clients of the console's services. Calls throw what `createTransport` documents. */
export interface Api {
  readonly audit: Client<typeof AuditService>
  readonly bundler: Client<typeof BundlerService>
  readonly counts: Client<typeof CountService>
  readonly health: Client<typeof HealthService>
  readonly names: Client<typeof NameService>
  readonly operators: Client<typeof OperatorService>
  readonly orders: Client<typeof OrderService>
  readonly passkeys: Client<typeof PasskeyService>
  readonly projects: Client<typeof ProjectService>
  readonly providers: Client<typeof ProviderService>
  readonly sessions: Client<typeof SmartSessionService>
  readonly settings: Client<typeof SettingService>
  readonly users: Client<typeof UserService>
}

/** Creates the clients on one transport. */
export function createApi(transport: Transport): Api {
  return {
    audit: createClient(AuditService, transport),
    bundler: createClient(BundlerService, transport),
    counts: createClient(CountService, transport),
    health: createClient(HealthService, transport),
    names: createClient(NameService, transport),
    operators: createClient(OperatorService, transport),
    orders: createClient(OrderService, transport),
    passkeys: createClient(PasskeyService, transport),
    projects: createClient(ProjectService, transport),
    providers: createClient(ProviderService, transport),
    sessions: createClient(SmartSessionService, transport),
    settings: createClient(SettingService, transport),
    users: createClient(UserService, transport),
  }
}
