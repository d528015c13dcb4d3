import type { FailedTransactionMetadata } from 'litesvm'

/** A transaction error as nodes write it in JSON, e.g. `"BlockhashNotFound"`, `{"InstructionError":[2,{"Custom":1}]}`. */
export type ErrorJson = string | { [name: string]: unknown }

// LiteSVM reports errors without fields as numbers: their index in Solana's `TransactionError` and `InstructionError`.
const TRANSACTION_ERRORS = `AccountInUse AccountLoadedTwice AccountNotFound ProgramAccountNotFound
  InsufficientFundsForFee InvalidAccountForFee AlreadyProcessed BlockhashNotFound CallChainTooDeep
  MissingSignatureForFee InvalidAccountIndex SignatureFailure InvalidProgramForExecution SanitizeFailure
  ClusterMaintenance AccountBorrowOutstanding WouldExceedMaxBlockCostLimit UnsupportedVersion
  InvalidWritableAccount WouldExceedMaxAccountCostLimit WouldExceedAccountDataBlockLimit TooManyAccountLocks
  AddressLookupTableNotFound InvalidAddressLookupTableOwner InvalidAddressLookupTableData
  InvalidAddressLookupTableIndex InvalidRentPayingAccount WouldExceedMaxVoteCostLimit
  WouldExceedAccountDataTotalLimit MaxLoadedAccountsDataSizeExceeded ResanitizationNeeded
  InvalidLoadedAccountsDataSizeLimit UnbalancedTransaction ProgramCacheHitMaxLimit CommitCancelled`.split(
  /\s+/,
)

const INSTRUCTION_ERRORS = `GenericError InvalidArgument InvalidInstructionData InvalidAccountData
  AccountDataTooSmall InsufficientFunds IncorrectProgramId MissingRequiredSignature AccountAlreadyInitialized
  UninitializedAccount UnbalancedInstruction ModifiedProgramId ExternalAccountLamportSpend
  ExternalAccountDataModified ReadonlyLamportChange ReadonlyDataModified DuplicateAccountIndex
  ExecutableModified RentEpochModified NotEnoughAccountKeys AccountDataSizeChanged AccountNotExecutable
  AccountBorrowFailed AccountBorrowOutstanding DuplicateAccountOutOfSync InvalidError ExecutableDataModified
  ExecutableLamportChange ExecutableAccountNotRentExempt UnsupportedProgramId CallDepth MissingAccount
  ReentrancyNotAllowed MaxSeedLengthExceeded InvalidSeeds InvalidRealloc ComputationalBudgetExceeded
  PrivilegeEscalation ProgramEnvironmentSetupFailure ProgramFailedToComplete ProgramFailedToCompile Immutable
  IncorrectAuthority AccountNotRentExempt InvalidAccountOwner ArithmeticOverflow UnsupportedSysvar IllegalOwner
  MaxAccountsDataAllocationsExceeded MaxAccountsExceeded MaxInstructionTraceLengthExceeded
  BuiltinProgramsMustConsumeComputeUnits BorshIoError`.split(/\s+/)

/** An error of LiteSVM in the format of a node. */
export function errorJson(error: ReturnType<FailedTransactionMetadata['err']>): ErrorJson {
  if (typeof error === 'number') return TRANSACTION_ERRORS[error] ?? 'SanitizeFailure'
  if ('err' in error) {
    const inner = error.err()
    if (typeof inner === 'number')
      return { InstructionError: [error.index, INSTRUCTION_ERRORS[inner] ?? 'GenericError'] }
    return { InstructionError: [error.index, 'code' in inner ? { Custom: inner.code } : 'BorshIoError'] }
  }
  if ('index' in error) return { DuplicateInstruction: error.index }
  const name =
    error.constructor.name === 'TransactionErrorInsufficientFundsForRent'
      ? 'InsufficientFundsForRent'
      : 'ProgramExecutionTemporarilyRestricted'
  return { [name]: { account_index: error.accountIndex } }
}

const SENTENCES: Record<string, string> = {
  BlockhashNotFound: 'Blockhash not found',
  AlreadyProcessed: 'This transaction has already been processed',
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  InsufficientFundsForFee: 'Insufficient funds for fee',
  SignatureFailure: 'Transaction did not pass signature verification',
  AddressLookupTableNotFound: "Transaction loads an address table account that doesn't exist",
}

/** The sentence that nodes append to `Transaction simulation failed: `. */
export function errorSentence(error: ErrorJson): string {
  if (typeof error === 'string') return SENTENCES[error] ?? error
  const instruction = error.InstructionError
  if (!Array.isArray(instruction)) return JSON.stringify(error)
  const [index, reason] = instruction as [number, string | { Custom: number }]
  const what = typeof reason === 'string' ? reason : `custom program error: 0x${reason.Custom.toString(16)}`
  return `Error processing Instruction ${index}: ${what}`
}
