package analytics

import (
	"slices"
	"strings"
)

// other is the name under which unknown events are counted.
const other = "OTHER"

// events are the names that are counted.
var events = func() map[string]bool {
	known := map[string]bool{}
	for name := range strings.FieldsSeq(`
		INITIALIZE MODAL_CREATED MODAL_OPEN MODAL_CLOSE
		CLICK_ALL_WALLETS SEARCH_WALLET SELECT_WALLET CLICK_WALLET_HELP CLICK_GET_WALLET CLICK_NETWORKS CLICK_NETWORK_HELP SWITCH_NETWORK
		CONNECT_SUCCESS CONNECT_ERROR CONNECT_PROXY_ERROR DISCONNECT_SUCCESS DISCONNECT_ERROR
		CLICK_TRANSACTIONS ERROR_FETCH_TRANSACTIONS LOAD_MORE_TRANSACTIONS
		CLICK_SIGN_SIWX_MESSAGE CLICK_CANCEL_SIWX SIWX_AUTH_SUCCESS SIWX_AUTH_ERROR
		EMAIL_LOGIN_SELECTED EMAIL_SUBMITTED DEVICE_REGISTERED_FOR_EMAIL EMAIL_VERIFICATION_CODE_SENT EMAIL_VERIFICATION_CODE_PASS
		EMAIL_VERIFICATION_CODE_FAIL EMAIL_EDIT EMAIL_UPGRADE_FROM_MODAL SET_PREFERRED_ACCOUNT_TYPE
		SOCIAL_LOGIN_STARTED SOCIAL_LOGIN_SUCCESS SOCIAL_LOGIN_ERROR SOCIAL_LOGIN_REQUEST_USER_DATA SOCIAL_LOGIN_CANCELED
		OPEN_SWAP INITIATE_SWAP SWAP_SUCCESS SWAP_ERROR SWAP_APPROVAL_ERROR CLICK_CONVERT CLICK_SELECT_TOKEN_TO_SWAP
		CLICK_SELECT_NETWORK_TO_SWAP
		SELECT_BUY_CRYPTO SELECT_BUY_PROVIDER SELECT_WHAT_IS_A_BUY BUY_SUCCESS BUY_ERROR
		OPEN_ENS_FLOW REGISTER_NAME_INITIATED REGISTER_NAME_SUCCESS REGISTER_NAME_ERROR
		OPEN_SEND SEND_INITIATED SEND_SUCCESS SEND_ERROR
		INTERNAL_SDK_ERROR`) {
		known[name] = true
	}
	return known
}()

var (
	methods   = []string{"qrcode", "mobile", "browser", "email"}
	platforms = []string{"browser", "mobile", "desktop", "web", "qrcode"}
)

// Event is the part of an event that is counted.
type Event struct {
	Name string
	// Detail is the method of CONNECT_SUCCESS or the platform of SELECT_WALLET; empty for others.
	Detail string
}

// NewEvent returns the countable part of an event with these properties.
func NewEvent(name, method, platform string) Event {
	switch {
	case !events[name]:
		return Event{Name: other}
	case name == "CONNECT_SUCCESS" && slices.Contains(methods, method):
		return Event{name, method}
	case name == "SELECT_WALLET" && slices.Contains(platforms, platform):
		return Event{name, platform}
	default:
		return Event{Name: name}
	}
}
