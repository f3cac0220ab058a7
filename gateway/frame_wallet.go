package gateway

import (
	"net/http"

	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1/walletv1connect"
)

// forwardWallet serves the calls of the embedded wallet's pages. They are served at its origin only.
func forwardWallet(calls *rpcs, c Conns, guard *guard) {
	device := func(h http.Handler) http.Handler { return guard.wrapRPC(withDevice(h)) }
	// The pages before and after a provider's have no project id; the service finds the project by the state of the login.
	open := func(h http.Handler) http.Handler { return guard.wrapOpenRPC(withDevice(h)) }
	forward[walletv1.GetSocialRequestRequest, walletv1.GetSocialRequestResponse](calls, c.Wallet, walletv1connect.LoginServiceGetSocialRequestProcedure, open)
	forward[walletv1.FinishSocialRequest, walletv1.FinishSocialResponse](calls, c.Wallet, walletv1connect.LoginServiceFinishSocialProcedure, open)
	forward[walletv1.StartEmailRequest, walletv1.StartEmailResponse](calls, c.Wallet, walletv1connect.LoginServiceStartEmailProcedure, device)
	forward[walletv1.WaitForDeviceRequest, walletv1.WaitForDeviceResponse](calls, c.Wallet, walletv1connect.LoginServiceWaitForDeviceProcedure, device)
	forward[walletv1.GetDeviceRequestRequest, walletv1.GetDeviceRequestResponse](calls, c.Wallet, walletv1connect.LoginServiceGetDeviceRequestProcedure, device)
	forward[walletv1.DecideDeviceRequest, walletv1.DecideDeviceResponse](calls, c.Wallet, walletv1connect.LoginServiceDecideDeviceProcedure, device)
	forward[walletv1.VerifyCodeRequest, walletv1.VerifyCodeResponse](calls, c.Wallet, walletv1connect.LoginServiceVerifyCodeProcedure, device)
	forward[walletv1.ResendCodeRequest, walletv1.ResendCodeResponse](calls, c.Wallet, walletv1connect.LoginServiceResendCodeProcedure, device)
	forward[walletv1.ListProvidersRequest, walletv1.ListProvidersResponse](calls, c.Wallet, walletv1connect.LoginServiceListProvidersProcedure, device)
	forward[walletv1.StartSocialRequest, walletv1.StartSocialResponse](calls, c.Wallet, walletv1connect.LoginServiceStartSocialProcedure, device)
	forward[walletv1.WaitForSocialRequest, walletv1.WaitForSocialResponse](calls, c.Wallet, walletv1connect.LoginServiceWaitForSocialProcedure, device)
	forward[walletv1.StartFarcasterRequest, walletv1.StartFarcasterResponse](calls, c.Wallet, walletv1connect.LoginServiceStartFarcasterProcedure, device)
	forward[walletv1.WaitForFarcasterRequest, walletv1.WaitForFarcasterResponse](calls, c.Wallet, walletv1connect.LoginServiceWaitForFarcasterProcedure, device)
	forward[walletv1.RefreshRequest, walletv1.RefreshResponse](calls, c.Wallet, walletv1connect.SessionServiceRefreshProcedure, device)
	forward[walletv1.SignOutRequest, walletv1.SignOutResponse](calls, c.Wallet, walletv1connect.SessionServiceSignOutProcedure, device)
	forward[walletv1.ListSessionsRequest, walletv1.ListSessionsResponse](calls, c.Wallet, walletv1connect.SessionServiceListSessionsProcedure, device)
	forward[walletv1.RevokeSessionRequest, walletv1.RevokeSessionResponse](calls, c.Wallet, walletv1connect.SessionServiceRevokeSessionProcedure, device)
	forward[walletv1.RevokeAllSessionsRequest, walletv1.RevokeAllSessionsResponse](calls, c.Wallet, walletv1connect.SessionServiceRevokeAllSessionsProcedure, device)
	forward[walletv1.GetUserRequest, walletv1.GetUserResponse](calls, c.Wallet, walletv1connect.WalletServiceGetUserProcedure, device)
	forward[walletv1.CreateWalletRequest, walletv1.CreateWalletResponse](calls, c.Wallet, walletv1connect.WalletServiceCreateWalletProcedure, device)
	forward[walletv1.GetSealedWalletRequest, walletv1.GetSealedWalletResponse](calls, c.Wallet, walletv1connect.WalletServiceGetSealedWalletProcedure, device)
	forward[walletv1.AddFactorRequest, walletv1.AddFactorResponse](calls, c.Wallet, walletv1connect.WalletServiceAddFactorProcedure, device)
	forward[walletv1.RemoveFactorRequest, walletv1.RemoveFactorResponse](calls, c.Wallet, walletv1connect.WalletServiceRemoveFactorProcedure, device)
	forward[walletv1.ListFactorsRequest, walletv1.ListFactorsResponse](calls, c.Wallet, walletv1connect.WalletServiceListFactorsProcedure, device)
	forward[walletv1.StartEmailChangeRequest, walletv1.StartEmailChangeResponse](calls, c.Wallet, walletv1connect.WalletServiceStartEmailChangeProcedure, device)
	forward[walletv1.VerifyOldEmailRequest, walletv1.VerifyOldEmailResponse](calls, c.Wallet, walletv1connect.WalletServiceVerifyOldEmailProcedure, device)
	forward[walletv1.VerifyNewEmailRequest, walletv1.VerifyNewEmailResponse](calls, c.Wallet, walletv1connect.WalletServiceVerifyNewEmailProcedure, device)
	forward[walletv1.SetPreferredAccountRequest, walletv1.SetPreferredAccountResponse](calls, c.Wallet, walletv1connect.WalletServiceSetPreferredAccountProcedure, device)
	forward[walletv1.RecordRecoveryKitRequest, walletv1.RecordRecoveryKitResponse](calls, c.Wallet, walletv1connect.WalletServiceRecordRecoveryKitProcedure, device)
	forward[walletv1.LinkSocialRequest, walletv1.LinkSocialResponse](calls, c.Wallet, walletv1connect.WalletServiceLinkSocialProcedure, device)
	forward[walletv1.UnlinkIdentityRequest, walletv1.UnlinkIdentityResponse](calls, c.Wallet, walletv1connect.WalletServiceUnlinkIdentityProcedure, device)
	forward[walletv1.KeepIdentityRequest, walletv1.KeepIdentityResponse](calls, c.Wallet, walletv1connect.WalletServiceKeepIdentityProcedure, device)
	forward[walletv1.DeleteUserRequest, walletv1.DeleteUserResponse](calls, c.Wallet, walletv1connect.WalletServiceDeleteUserProcedure, device)
}
