import { RpcError } from '../jsonRpcServer.mjs'

/** Names of litesvm's transaction errors, by their number. */
const transactionErrors = `
  AccountInUse AccountLoadedTwice AccountNotFound ProgramAccountNotFound InsufficientFundsForFee
  InvalidAccountForFee AlreadyProcessed BlockhashNotFound CallChainTooDeep MissingSignatureForFee
  InvalidAccountIndex SignatureFailure InvalidProgramForExecution SanitizeFailure ClusterMaintenance
  AccountBorrowOutstanding WouldExceedMaxBlockCostLimit UnsupportedVersion InvalidWritableAccount
  WouldExceedMaxAccountCostLimit WouldExceedAccountDataBlockLimit TooManyAccountLocks
  AddressLookupTableNotFound InvalidAddressLookupTableOwner InvalidAddressLookupTableData
  InvalidAddressLookupTableIndex InvalidRentPayingAccount WouldExceedMaxVoteCostLimit
  WouldExceedAccountDataTotalLimit MaxLoadedAccountsDataSizeExceeded ResanitizationNeeded
  InvalidLoadedAccountsDataSizeLimit UnbalancedTransaction ProgramCacheHitMaxLimit CommitCancelled
`
  .trim()
  .split(/\s+/)

/** Names of litesvm's instruction errors, by their number. */
const instructionErrors = `
  GenericError InvalidArgument InvalidInstructionData InvalidAccountData AccountDataTooSmall
  InsufficientFunds IncorrectProgramId MissingRequiredSignature AccountAlreadyInitialized
  UninitializedAccount UnbalancedInstruction ModifiedProgramId ExternalAccountLamportSpend
  ExternalAccountDataModified ReadonlyLamportChange ReadonlyDataModified DuplicateAccountIndex
  ExecutableModified RentEpochModified NotEnoughAccountKeys AccountDataSizeChanged
  AccountNotExecutable AccountBorrowFailed AccountBorrowOutstanding DuplicateAccountOutOfSync
  InvalidError ExecutableDataModified ExecutableLamportChange ExecutableAccountNotRentExempt
  UnsupportedProgramId CallDepth MissingAccount ReentrancyNotAllowed MaxSeedLengthExceeded
  InvalidSeeds InvalidRealloc ComputationalBudgetExceeded PrivilegeEscalation
  ProgramEnvironmentSetupFailure ProgramFailedToComplete ProgramFailedToCompile Immutable
  IncorrectAuthority AccountNotRentExempt InvalidAccountOwner ArithmeticOverflow UnsupportedSysvar
  IllegalOwner MaxAccountsDataAllocationsExceeded MaxAccountsExceeded
  MaxInstructionTraceLengthExceeded BuiltinProgramsMustConsumeComputeUnits BorshIoError
`
  .trim()
  .split(/\s+/)

/** @param {string} reason */
export const invalidParams = (reason) => new RpcError(-32602, `Invalid param: ${reason}`)

/** Errors of a transaction that was carried out: it pays its fee and is in history. */
const carriedOut = ['InstructionError', 'InsufficientFundsForRent', 'ProgramExecutionTemporarilyRestricted']

/** @param {unknown} error as {@link describeError} returns it */
export function isCarriedOut(error) {
  return typeof error === 'object' && error !== null && carriedOut.some((name) => name in error)
}

/**
 * Returns a transaction's error in the JSON of nodes.
 *
 * @param {ReturnType<import('litesvm').FailedTransactionMetadata['err']>} error
 * @returns {string | Record<string, unknown>}
 */
export function describeError(error) {
  if (typeof error === 'number') return transactionErrors[error] ?? `Unknown${error}`
  if ('err' in error) return { InstructionError: [error.index, describeInstructionError(error.err())] }
  if ('accountIndex' in error) {
    const name = error.constructor.name.replace('TransactionError', '')
    return { [name]: { account_index: error.accountIndex } }
  }
  return { DuplicateInstruction: error.index }
}

/** @param {ReturnType<import('litesvm/dist/internal.js').TransactionErrorInstructionError['err']>} error */
function describeInstructionError(error) {
  if (typeof error === 'number') return instructionErrors[error] ?? `Unknown${error}`
  if ('code' in error) return { Custom: error.code }
  return { BorshIoError: error.msg }
}
