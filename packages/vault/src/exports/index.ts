export type { BackupFactor, Secret } from '../factors/factors.ts'
export { createPasskey, hasPasskeys, readPasskey } from '../factors/passkey.ts'
export { FailureError, failures } from '../failures.ts'
export type { SignRequest } from '../keys/signer.ts'
export { describeDevice } from '../login/device.ts'
export { decodeContext } from '../permissions/delegation.ts'
export type { SessionContracts } from '../permissions/framework.ts'
export {
  execute,
  isDisabled,
  listSessionContracts,
  prepareDisable,
  prepareDisableAll,
} from '../permissions/grant.ts'
export type { Limits, Session } from '../permissions/session.ts'
export { CallError } from '../session/api.ts'
export { type DeviceStore, memoryStore, openDeviceStore } from '../session/deviceStore.ts'
export { createExclusive } from '../session/exclusive.ts'
export { fetchFor } from '../session/pageOrigin.ts'
export { UNSUPPORTED_CHAIN } from '../smartAccount/accountChain.ts'
export {
  type BundlerClient,
  BundlerError,
  createBundlerClient,
} from '../smartAccount/bundlerClient.ts'
export { MINIMUM_BALANCES, MOST_ASSETS } from '../smartAccount/minimumBalances.ts'
export { minimumBalancesCode } from '../smartAccount/minimumBalancesCode.ts'
export { hasPinnedSessions } from '../smartAccount/pinned.ts'
export type { PreparedOperation } from '../smartAccount/prepareOperation.ts'
export type { PreparedRemoval } from '../smartAccount/removal.ts'
export { createSmartAccounts, type SmartAccounts } from '../smartAccount/smartAccount.ts'
export type { UserOperation } from '../smartAccount/userOperation.ts'
export type { Grant, SmartSession } from '../vault/grantVault.ts'
export type { VaultUser } from '../vault/userVault.ts'
export { openVaults, type Vault } from '../vault/vault.ts'
export type { VaultOptions } from '../vault/vaultContext.ts'
export { connectVault, type Endpoint, serveVault } from '../vault/vaultPort.ts'
export { type Approvals, createApprovals, type Place, type Sheet } from '../wallet/approvals.ts'
export type {
  ApprovalView,
  CallView,
  GrantView,
  OperationView,
  SolanaTransactionView,
} from '../wallet/approvalView.ts'
export { serveSite } from '../wallet/frame.ts'
export { type Guard, type GuardState, guardSheet } from '../wallet/guard.ts'
export type { Appearance } from '../wallet/handlers/context.ts'
export { codeWarnings, type LocalWarning, localWarnings } from '../wallet/localWarnings.ts'
export { createNode, type Node } from '../wallet/node.ts'
export { operationView } from '../wallet/operationView.ts'
export { isAllowedOrigin } from '../wallet/originPattern.ts'
export { loadPreview, type Preview, type PreviewOptions } from '../wallet/preview.ts'
export { type Site, waitForSite } from '../wallet/site.ts'
export type { SolanaInstruction, SolanaMessage } from '../wallet/solanaInstructions.ts'
export { networkFees } from '../wallet/transaction.ts'
