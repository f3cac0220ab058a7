package siwe_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/hawser-dev/hawser/proto/siwe"
)

func ExampleClient_Session() {
	server := httptest.NewServer(http.HandlerFunc(gateway)) // in production, the address of your gateway
	defer server.Close()
	client := &siwe.Client{GatewayURL: server.URL, ProjectID: "p1", Origin: "https://shop.example"}

	session, err := client.Session(context.Background(), "secret")
	fmt.Println(session.Address, session.ChainIDs, err)

	_, err = client.Session(context.Background(), "expired")
	fmt.Println(errors.Is(err, siwe.ErrNoSession))
	// Output:
	// 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 [eip155:1] <nil>
	// true
}

func ExampleClient_Middleware() {
	server := httptest.NewServer(http.HandlerFunc(gateway))
	defer server.Close()
	client := &siwe.Client{GatewayURL: server.URL, ProjectID: "p1", Origin: "https://shop.example", Cookie: "session"}
	orders := client.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		session, _ := siwe.FromContext(r.Context())
		fmt.Fprintf(w, "orders of %s", session.Address)
	}))

	request := httptest.NewRequest(http.MethodGet, "/orders", http.NoBody)
	for _, token := range []string{"secret", "expired"} {
		request.Header.Set("Cookie", "session="+token)
		response := httptest.NewRecorder()
		orders.ServeHTTP(response, request)
		body, _ := io.ReadAll(response.Body)
		fmt.Printf("%d %s\n", response.Code, body)
	}
	// Output:
	// 200 orders of 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266
	// 401 sign in first
}

func ExampleParse() {
	message, err := siwe.Parse(`shop.example wants you to sign in with your Ethereum account:
0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266

Sign in to see your orders.

URI: https://shop.example/orders
Version: 1
Chain ID: 1
Nonce: 32891756
Issued At: 2026-01-01T00:00:00Z`)
	if err != nil {
		fmt.Println(err)
		return
	}
	chain, err := message.Chain()
	fmt.Println(message.Domain, message.Nonce, chain, err)

	_, err = siwe.Parse("I agree.")
	fmt.Println(errors.Is(err, siwe.ErrMessage))
	// Output:
	// shop.example 32891756 eip155:1 <nil>
	// true
}
