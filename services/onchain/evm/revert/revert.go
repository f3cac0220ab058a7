// Package revert reads why a contract reverted.
package revert

import (
	"strings"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/platform/plaintext"
)

// selectorSize is the size of the selector of an error in bytes.
const selectorSize = 4

// names has the names of custom errors by their selectors: those of tokens (ERC-6093), of OpenZeppelin's contracts, of Permit2 and of routers.
var names = named(
	"ERC20InsufficientBalance(address,uint256,uint256)",
	"ERC20InvalidSender(address)",
	"ERC20InvalidReceiver(address)",
	"ERC20InsufficientAllowance(address,uint256,uint256)",
	"ERC20InvalidApprover(address)",
	"ERC20InvalidSpender(address)",
	"ERC721InvalidOwner(address)",
	"ERC721NonexistentToken(uint256)",
	"ERC721IncorrectOwner(address,uint256,address)",
	"ERC721InvalidReceiver(address)",
	"ERC721InsufficientApproval(address,uint256)",
	"ERC1155InsufficientBalance(address,uint256,uint256,uint256)",
	"ERC1155InvalidReceiver(address)",
	"ERC1155MissingApprovalForAll(address,address)",
	"SafeERC20FailedOperation(address)",
	"OwnableUnauthorizedAccount(address)",
	"AccessControlUnauthorizedAccount(address,bytes32)",
	"EnforcedPause()",
	"ReentrancyGuardReentrantCall()",
	"FailedCall()",
	"AllowanceExpired(uint256)",
	"InsufficientAllowance(uint256)",
	"InvalidNonce()",
	"SignatureExpired(uint256)",
	"InvalidSigner()",
	"V2TooLittleReceived()",
	"V3TooLittleReceived()",
	"V4TooLittleReceived(uint256,uint256)",
	"TransactionDeadlinePassed()",
	"TooMuchSlippage(address,uint256,uint256)",
)

// named returns the names of errors by the selectors of their signatures.
func named(signatures ...string) map[[selectorSize]byte]string {
	byNames := make(map[[selectorSize]byte]string, len(signatures))
	for _, s := range signatures {
		name, _, _ := strings.Cut(s, "(")
		byNames[[selectorSize]byte(crypto.Keccak256([]byte(s)))] = name
	}
	return byNames
}

// Reason returns why a call reverted, from the data that it returned: the text of `Error`, the meaning of a `Panic`, or the name of a custom error
// that is known. It has no invisible characters and at most limit runes, and is empty if the data says nothing.
func Reason(data []byte, limit int) string {
	if text, err := abi.UnpackRevert(data); err == nil {
		return plaintext.Text(text, limit)
	}
	if len(data) < selectorSize {
		return ""
	}
	return plaintext.Text(names[[selectorSize]byte(data[:selectorSize])], limit)
}
