package frame

import (
	"net/http"

	"google.golang.org/grpc"

	"github.com/hawser-dev/hawser/gateway/access"
	"github.com/hawser-dev/hawser/gateway/rpc"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1/walletv1connect"
)

// ForwardCalls serves the calls of the embedded wallet's pages. They are served at its origin only.
func ForwardCalls(calls *rpc.Server, cc grpc.ClientConnInterface, guard *access.Guard) {
	device := func(h http.Handler) http.Handler { return guard.WrapRPC(access.WithDevice(h)) }
	// The pages before and after a provider's have no project id; the service finds the project by the state of the login.
	open := func(h http.Handler) http.Handler { return guard.WrapOpenRPC(access.WithDevice(h)) }
	rpc.Forward[walletv1.GetSocialRequestRequest, walletv1.GetSocialRequestResponse](calls, cc, walletv1connect.LoginServiceGetSocialRequestProcedure, open)
	rpc.Forward[walletv1.FinishSocialRequest, walletv1.FinishSocialResponse](calls, cc, walletv1connect.LoginServiceFinishSocialProcedure, open)
	rpc.Forward[walletv1.StartEmailRequest, walletv1.StartEmailResponse](calls, cc, walletv1connect.LoginServiceStartEmailProcedure, device)
	rpc.Forward[walletv1.WaitForDeviceRequest, walletv1.WaitForDeviceResponse](calls, cc, walletv1connect.LoginServiceWaitForDeviceProcedure, device)
	rpc.Forward[walletv1.GetDeviceRequestRequest, walletv1.GetDeviceRequestResponse](calls, cc, walletv1connect.LoginServiceGetDeviceRequestProcedure, device)
	rpc.Forward[walletv1.DecideDeviceRequest, walletv1.DecideDeviceResponse](calls, cc, walletv1connect.LoginServiceDecideDeviceProcedure, device)
	rpc.Forward[walletv1.VerifyCodeRequest, walletv1.VerifyCodeResponse](calls, cc, walletv1connect.LoginServiceVerifyCodeProcedure, device)
	rpc.Forward[walletv1.ResendCodeRequest, walletv1.ResendCodeResponse](calls, cc, walletv1connect.LoginServiceResendCodeProcedure, device)
	rpc.Forward[walletv1.ListProvidersRequest, walletv1.ListProvidersResponse](calls, cc, walletv1connect.LoginServiceListProvidersProcedure, device)
	rpc.Forward[walletv1.StartSocialRequest, walletv1.StartSocialResponse](calls, cc, walletv1connect.LoginServiceStartSocialProcedure, device)
	rpc.Forward[walletv1.WaitForSocialRequest, walletv1.WaitForSocialResponse](calls, cc, walletv1connect.LoginServiceWaitForSocialProcedure, device)
	rpc.Forward[walletv1.StartFarcasterRequest, walletv1.StartFarcasterResponse](calls, cc, walletv1connect.LoginServiceStartFarcasterProcedure, device)
	rpc.Forward[walletv1.WaitForFarcasterRequest, walletv1.WaitForFarcasterResponse](calls, cc, walletv1connect.LoginServiceWaitForFarcasterProcedure, device)
	rpc.Forward[walletv1.RefreshRequest, walletv1.RefreshResponse](calls, cc, walletv1connect.SessionServiceRefreshProcedure, device)
	rpc.Forward[walletv1.SignOutRequest, walletv1.SignOutResponse](calls, cc, walletv1connect.SessionServiceSignOutProcedure, device)
	rpc.Forward[walletv1.ListSessionsRequest, walletv1.ListSessionsResponse](calls, cc, walletv1connect.SessionServiceListSessionsProcedure, device)
	rpc.Forward[walletv1.RevokeSessionRequest, walletv1.RevokeSessionResponse](calls, cc, walletv1connect.SessionServiceRevokeSessionProcedure, device)
	rpc.Forward[walletv1.RevokeAllSessionsRequest, walletv1.RevokeAllSessionsResponse](calls, cc, walletv1connect.SessionServiceRevokeAllSessionsProcedure, device)
	rpc.Forward[walletv1.GetUserRequest, walletv1.GetUserResponse](calls, cc, walletv1connect.WalletServiceGetUserProcedure, device)
	rpc.Forward[walletv1.CreateWalletRequest, walletv1.CreateWalletResponse](calls, cc, walletv1connect.WalletServiceCreateWalletProcedure, device)
	rpc.Forward[walletv1.GetSealedWalletRequest, walletv1.GetSealedWalletResponse](calls, cc, walletv1connect.WalletServiceGetSealedWalletProcedure, device)
	rpc.Forward[walletv1.AddFactorRequest, walletv1.AddFactorResponse](calls, cc, walletv1connect.WalletServiceAddFactorProcedure, device)
	rpc.Forward[walletv1.RemoveFactorRequest, walletv1.RemoveFactorResponse](calls, cc, walletv1connect.WalletServiceRemoveFactorProcedure, device)
	rpc.Forward[walletv1.ListFactorsRequest, walletv1.ListFactorsResponse](calls, cc, walletv1connect.WalletServiceListFactorsProcedure, device)
	rpc.Forward[walletv1.StartEmailChangeRequest, walletv1.StartEmailChangeResponse](calls, cc, walletv1connect.WalletServiceStartEmailChangeProcedure, device)
	rpc.Forward[walletv1.VerifyOldEmailRequest, walletv1.VerifyOldEmailResponse](calls, cc, walletv1connect.WalletServiceVerifyOldEmailProcedure, device)
	rpc.Forward[walletv1.VerifyNewEmailRequest, walletv1.VerifyNewEmailResponse](calls, cc, walletv1connect.WalletServiceVerifyNewEmailProcedure, device)
	rpc.Forward[walletv1.SetPreferredAccountRequest, walletv1.SetPreferredAccountResponse](calls, cc, walletv1connect.WalletServiceSetPreferredAccountProcedure, device)
	rpc.Forward[walletv1.RecordRecoveryKitRequest, walletv1.RecordRecoveryKitResponse](calls, cc, walletv1connect.WalletServiceRecordRecoveryKitProcedure, device)
	rpc.Forward[walletv1.LinkSocialRequest, walletv1.LinkSocialResponse](calls, cc, walletv1connect.WalletServiceLinkSocialProcedure, device)
	rpc.Forward[walletv1.UnlinkIdentityRequest, walletv1.UnlinkIdentityResponse](calls, cc, walletv1connect.WalletServiceUnlinkIdentityProcedure, device)
	rpc.Forward[walletv1.KeepIdentityRequest, walletv1.KeepIdentityResponse](calls, cc, walletv1connect.WalletServiceKeepIdentityProcedure, device)
	rpc.Forward[walletv1.DeleteUserRequest, walletv1.DeleteUserResponse](calls, cc, walletv1connect.WalletServiceDeleteUserProcedure, device)
}
