package gateway

import (
	"google.golang.org/grpc"

	bitcoinv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bitcoin/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/bitcoin/v1/bitcoinv1connect"
)

// forwardBitcoin serves accounts of Bitcoin networks.
func forwardBitcoin(rpcs *rpcs, cc grpc.ClientConnInterface, g *guard) {
	forward[bitcoinv1.GetBalanceRequest, bitcoinv1.GetBalanceResponse](rpcs, cc, bitcoinv1connect.BitcoinServiceGetBalanceProcedure, g.wrapRPC)
	forward[bitcoinv1.ListUnspentRequest, bitcoinv1.ListUnspentResponse](rpcs, cc, bitcoinv1connect.BitcoinServiceListUnspentProcedure, g.wrapRPC)
	forward[bitcoinv1.ListTransactionsRequest, bitcoinv1.ListTransactionsResponse](rpcs, cc, bitcoinv1connect.BitcoinServiceListTransactionsProcedure, g.wrapRPC)
	forward[bitcoinv1.GetTransactionRequest, bitcoinv1.GetTransactionResponse](rpcs, cc, bitcoinv1connect.BitcoinServiceGetTransactionProcedure, g.wrapRPC)
	forward[bitcoinv1.GetFeeRatesRequest, bitcoinv1.GetFeeRatesResponse](rpcs, cc, bitcoinv1connect.BitcoinServiceGetFeeRatesProcedure, g.wrapRPC)
	forward[bitcoinv1.SendTransactionRequest, bitcoinv1.SendTransactionResponse](rpcs, cc, bitcoinv1connect.BitcoinServiceSendTransactionProcedure, g.wrapRPC)
}
