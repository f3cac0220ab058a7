package execution

import "github.com/hawser-dev/hawser/services/evm/calldata"

// wordSize is the EVM's word in bytes.
const wordSize = 32

// encodeCall encodes a call of the function with the given signature, such as `approve(address,uint256)`; see [calldata.Function.Write].
func encodeCall(signature string, values ...any) []byte {
	return calldata.Parse(signature).Write(values...)
}
