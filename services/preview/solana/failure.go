package solana

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/platform/plaintext"
	"github.com/hawser-dev/hawser/services/preview/cause"
)

// reasonLimit bounds the reason of a failure, in characters.
const reasonLimit = 200

// transactionErrors are the errors of whole transactions, in words.
var transactionErrors = map[string]string{
	"AccountNotFound":                       "The account that pays the fee has no SOL",
	"InsufficientFundsForFee":               "The account has too little SOL for the fee",
	"InsufficientFundsForRent":              "An account would be left with too little SOL to exist",
	"InvalidAccountForFee":                  "The account that pays the fee cannot pay fees",
	"InvalidRentPayingAccount":              "An account would be left with too little SOL to exist",
	"ProgramAccountNotFound":                "A program that is called does not exist",
	"InvalidProgramForExecution":            "A program that is called cannot be run",
	"AlreadyProcessed":                      "This transaction was sent before",
	"BlockhashNotFound":                     "This transaction has expired",
	"AddressLookupTableNotFound":            "A lookup table of the transaction does not exist",
	"InvalidAddressLookupTableIndex":        "A lookup table lacks an account of the transaction",
	"TooManyAccountLocks":                   "The transaction uses too many accounts",
	"AccountLoadedTwice":                    "The transaction names an account twice",
	"SanitizeFailure":                       "The transaction is malformed",
	"MaxLoadedAccountsDataSizeExceeded":     "The accounts of the transaction are too large",
	"ProgramExecutionTemporarilyRestricted": "A program that is called is restricted for now",
	"WouldExceedMaxBlockCostLimit":          "The transaction is too large for a block",
	"WouldExceedAccountDataBlockLimit":      "The transaction is too large for a block",
	"UnsupportedVersion":                    "The version of the transaction is not supported",
	"InvalidAddressLookupTableData":         "A lookup table of the transaction is malformed",
	"InvalidAddressLookupTableOwner":        "A lookup table of the transaction is malformed",
	"MissingSignatureForFee":                "The account that pays the fee does not sign",
	"InvalidAccountIndex":                   "The transaction is malformed",
	"InvalidWritableAccount":                "The transaction writes to an account that cannot be written",
	"UnbalancedTransaction":                 "The transaction would create or destroy SOL",
	"InvalidLoadedAccountsDataSizeLimit":    "The transaction is malformed",
	"DuplicateInstruction":                  "The transaction sets a limit twice",
	"WouldExceedMaxAccountCostLimit":        "The transaction is too large for a block",
	"WouldExceedAccountDataTotalLimit":      "The transaction is too large for a block",
	"CallChainTooDeep":                      "The programs call each other too deeply",
	"ResanitizationNeeded":                  "The transaction is malformed",
	"ClusterMaintenance":                    "The network is under maintenance",
	"AccountInUse":                          "An account of the transaction is in use",
	"AccountBorrowOutstanding":              "A program failed",
	"SignatureFailure":                      "A signature of the transaction is wrong",
	"ProgramCacheHitMaxLimit":               "The network is too busy to run a program",
	"CommitCancelled":                       "The network is too busy to run the transaction",
	"WouldExceedMaxVoteCostLimit":           "The transaction is too large for a block",
}

// instructionErrors are the errors of instructions, in words.
var instructionErrors = map[string]string{
	"InsufficientFunds":                 "An account has too little SOL",
	"InvalidArgument":                   "An argument of an instruction is wrong",
	"InvalidInstructionData":            "An instruction is malformed",
	"InvalidAccountData":                "An account has a different type than the program expects",
	"AccountDataTooSmall":               "An account is too small",
	"IncorrectProgramId":                "An account belongs to another program",
	"MissingRequiredSignature":          "A signature that is needed is missing",
	"AccountAlreadyInitialized":         "An account exists already",
	"UninitializedAccount":              "An account does not exist",
	"NotEnoughAccountKeys":              "An instruction lacks an account",
	"MissingAccount":                    "An instruction lacks an account",
	"ComputationalBudgetExceeded":       "The transaction needs more computing than it may use",
	"ProgramFailedToComplete":           "A program stopped before it was done",
	"AccountNotRentExempt":              "An account would be left with too little SOL to exist",
	"InvalidAccountOwner":               "An account belongs to another program",
	"IllegalOwner":                      "An account has an owner that is not allowed",
	"ArithmeticOverflow":                "An amount is too large",
	"Immutable":                         "An account cannot be changed",
	"IncorrectAuthority":                "The account has no right to do this",
	"UnsupportedProgramId":              "A program that is called does not exist",
	"InvalidSeeds":                      "An address of the transaction is wrong",
	"ExternalAccountLamportSpend":       "A program may not take SOL from an account",
	"PrivilegeEscalation":               "A program used a right that it was not given",
	"MaxInstructionTraceLengthExceeded": "The transaction has too many instructions",
	"CallDepth":                         "The programs call each other too deeply",
}

// customErrors are the numbered errors of well-known programs, in words.
var customErrors = map[svm.Address]map[uint32]string{
	svm.SystemProgram:    {0: "An account exists already", 1: "The account has too little SOL", 5: "An address of the transaction is wrong"},
	svm.TokenProgram:     tokenErrors,
	svm.Token2022Program: tokenErrors,
	svm.AssociatedTokenProgram: {
		0: "The token account belongs to another owner",
	},
}

var tokenErrors = map[uint32]string{
	0:  "A token account would be left with too little SOL to exist",
	1:  "The account has too little of the token",
	2:  "The token is not the one of the account",
	3:  "The account is one of another token",
	4:  "The account belongs to another owner",
	6:  "A token account exists already",
	9:  "A token account does not exist",
	11: "A token account that is closed still has tokens",
	14: "An amount is too large",
	17: "The token account is frozen",
	18: "The token has other decimals than the transaction says",
	29: "The token has no such authority",
	34: "The owner of the token account cannot be changed",
	35: "A token account that is closed still has fees of transfers",
	36: "The receiver requires a memo with each transfer",
	37: "The token cannot be transferred",
}

var (
	// failedProgram matches the log line with which nodes report which program failed; the innermost program is the
	// first.
	failedProgram = regexp.MustCompile(`^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) failed: `)
	// said matches the log lines with which programs report why they fail: that of Anchor, and that of the Rust
	// libraries.
	said = regexp.MustCompile(`^Program log: (?:AnchorError .*Error Message: (.+)|Error: (.+)|panicked at (.+))$`)
)

// explain returns in words why a transaction failed, and its cause if the words are not the program's. If the words are
// not known, it returns the program and its error number.
func explain(t Transaction, k keys, r run) (string, cause.Cause) {
	if text := programSays(r); text != "" {
		return text, 0
	}
	words := explainError(t, k, r)
	return words, cause.Of(words)
}

// programSays returns the reason that the failed program logged; empty if it logged none, or failed in another way.
func programSays(r run) string {
	var members map[string]json.RawMessage
	if json.Unmarshal(r.err, &members) != nil || members["InstructionError"] == nil {
		return ""
	}
	return saidBy(r.logs)
}

// explainError describes the error of a transaction in words.
func explainError(t Transaction, k keys, r run) string {
	var name string
	if json.Unmarshal(r.err, &name) == nil {
		return inWords(transactionErrors, name)
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(r.err, &members) != nil || len(members) == 0 {
		return "The transaction fails"
	}
	raw, isInstruction := members["InstructionError"]
	if !isInstruction {
		for name := range members {
			return inWords(transactionErrors, name)
		}
	}
	var pair []json.RawMessage
	var index int
	if json.Unmarshal(raw, &pair) != nil || len(pair) != 2 || json.Unmarshal(pair[0], &index) != nil {
		return "An instruction fails"
	}
	if json.Unmarshal(pair[1], &name) == nil {
		return inWords(instructionErrors, name)
	}
	var custom struct{ Custom *uint32 }
	if json.Unmarshal(pair[1], &custom) != nil || custom.Custom == nil {
		return "An instruction fails"
	}
	program := failed(r.logs)
	if program == (svm.Address{}) && index >= 0 && index < len(t.instructions) {
		program = k.all[t.instructions[index].program]
	}
	if words, ok := customErrors[program][*custom.Custom]; ok {
		return words
	}
	return fmt.Sprintf("The program %s fails with its error %d", program, *custom.Custom)
}

func inWords(table map[string]string, name string) string {
	if words, ok := table[name]; ok {
		return words
	}
	return "The network refuses the transaction: " + plaintext.Text(name, reasonLimit)
}

// failed returns the program that failed first; the zero address if the log does not contain it.
func failed(logs []string) svm.Address {
	for _, line := range logs {
		if m := failedProgram.FindStringSubmatch(line); m != nil {
			if a, err := svm.ParseAddress(m[1]); err == nil {
				return a
			}
		}
	}
	return svm.Address{}
}

// saidBy returns the last reason that a program logged, except for token programs, because the texts in the table are
// clearer.
func saidBy(logs []string) (text string) {
	if _, isKnown := customErrors[failed(logs)]; isKnown {
		return ""
	}
	for _, line := range logs {
		if m := said.FindStringSubmatch(line); m != nil {
			text = plaintext.Text(strings.TrimSpace(m[1]+m[2]+m[3]), reasonLimit)
		}
	}
	return text
}
