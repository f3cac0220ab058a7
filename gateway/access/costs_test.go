package access_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/gateway"
	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
	authv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/auth/v1"
	bundlerv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
)

// TestDearCallsCountForSeveralRequests sends each call until it is refused, to a gateway that allows a caller ten requests at once.
func TestDearCallsCountForSeveralRequests(t *testing.T) {
	for method, want := range map[string]int{
		bundlerv1.CallsService_ListAccountChains_FullMethodName:          10,
		authv1.AuthService_Authenticate_FullMethodName:                   2,
		sessionsv1.SmartSessionsService_CreateSession_FullMethodName:     2,
		sessionsv1.SmartSessionsService_SignUserOperation_FullMethodName: 2,
		bundlerv1.CallsService_SendCalls_FullMethodName:                  1,
		bundlerv1.CallsService_RemoveDelegation_FullMethodName:           1,
		"wallet " + walletv1.LoginService_ListProviders_FullMethodName:   10,
		"wallet " + walletv1.LoginService_StartEmail_FullMethodName:      2,
		"wallet " + walletv1.LoginService_StartFarcaster_FullMethodName:  2,
		"wallet " + walletv1.LoginService_WaitForDevice_FullMethodName:   1,
		"wallet " + walletv1.LoginService_WaitForSocial_FullMethodName:   1,
	} {
		t.Run(method, func(t *testing.T) {
			project := accesstest.Enabled()
			project.AllowedOrigins = []string{"https://shop.example.org"}
			project.RequestsPerSecond, project.Burst = 0.0001, 10
			path, isWallet := strings.CutPrefix(method, "wallet ")
			services := accesstest.Conn{projectsv1.ProjectsService_GetProject_FullMethodName: (&accesstest.Book{Project: project}).Get, path: func(proto.Message) (proto.Message, error) {
				return nil, http.ErrNotSupported
			}}
			cfg, deps := gateway.DefaultConfig(), gatewaytest.Deps(t)
			cfg.Frame.Origin = gatewaytest.WalletOrigin
			deps.FramePages = fstest.MapFS{"index.html": {Data: []byte("<!doctype html><!--config-->")}}
			g, err := gateway.New(gateway.Conns{Services: accesstest.Services(services, "auth", "bundler", "chains", "projects", "sessions", "wallet")}, cfg, deps)
			if err != nil {
				t.Fatal(err)
			}
			send := func() int {
				at, handler, from := "https://gateway.example.org", http.Handler(g), "https://shop.example.org"
				if isWallet {
					at, handler, from = gatewaytest.WalletOrigin, g.Frame, gatewaytest.WalletOrigin
				}
				return accesstest.Ask(handler, http.MethodPost, at+path+"?projectId="+accesstest.Known, "{}", "Content-Type", "application/json", "Origin", from,
					"Hawser-Page-Origin", "https://shop.example.org").Code
			}
			sent := 0
			for ; send() != http.StatusTooManyRequests && sent < 20; sent++ {
			}
			if sent != want {
				t.Errorf("%d calls were allowed, want %d", sent, want)
			}
		})
	}
}
