package wire

// Error is a JSON-RPC error of the relay. Clients distinguish errors by Data.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    string `json:"data,omitempty"`
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Codes of errors.
const (
	CodeAuth     = 3000
	CodeRate     = 3001
	CodePayload  = -32600
	CodeHandler  = -32000
	CodeInternal = -32603
)

// Tags of errors, in their data member.
const (
	TagProjectNotFound       = "ProjectNotFound"
	TagProjectIDNotSpecified = "ProjectIdNotSpecified"
	TagProjectInactive       = "ProjectInactive"
	TagOriginNotAllowed      = "OriginNotAllowed"

	TagTooManyRequests = "TooManyRequests"

	TagInvalidMethod       = "InvalidMethod"
	TagInvalidParams       = "InvalidParams"
	TagPayloadSizeExceeded = "PayloadSizeExceeded"
	TagInvalidTopic        = "InvalidTopic"
	TagInvalidRequestID    = "InvalidRequestId"
	TagInvalidVersion      = "InvalidJsonRpcVersion"
	TagBatchLimitExceeded  = "BatchLimitExceeded"
	TagBatchEmpty          = "BatchEmpty"
	TagSerialization       = "Serialization"

	TagTTLTooShort             = "TtlTooShort"
	TagTTLTooLong              = "TtlTooLong"
	TagMailboxLimitExceeded    = "MailboxLimitExceeded"
	TagSubscriberLimitExceeded = "SubscriberLimitExceeded"

	TagStorageError = "StorageError"
)

// payloadTexts describe what is wrong with a request, by tag.
var payloadTexts = map[string]string{
	TagInvalidMethod:       "Invalid method",
	TagInvalidParams:       "Invalid request parameters",
	TagPayloadSizeExceeded: "Payload size exceeded",
	TagInvalidTopic:        "Invalid topic",
	TagInvalidRequestID:    "Invalid request ID",
	TagInvalidVersion:      "Invalid JSON RPC version",
	TagBatchLimitExceeded:  "The batch contains too many items",
	TagBatchEmpty:          "The batch contains no items",
	TagSerialization:       "Failed to deserialize the request",
}

// handlerTexts describe why a request was refused, by tag.
var handlerTexts = map[string]string{
	TagTTLTooShort:             "TTL too short",
	TagTTLTooLong:              "TTL too long",
	TagMailboxLimitExceeded:    "Mailbox limit exceeded",
	TagSubscriberLimitExceeded: "Subscriber limit exceeded",
}

// Payload returns the error of a malformed request.
func Payload(tag string) *Error {
	return &Error{Code: CodePayload, Message: "Invalid payload: " + payloadTexts[tag], Data: tag}
}

// Handler returns the error of a refused request.
func Handler(tag string) *Error {
	text, ok := handlerTexts[tag]
	if !ok {
		text = tag
	}
	return &Error{Code: CodeHandler, Message: "Request handler error: " + text, Data: tag}
}

// Auth returns the error of a client that is not authorized.
func Auth(tag, text string) *Error {
	return &Error{Code: CodeAuth, Message: "Auth error: " + text, Data: tag}
}

// Rate returns the error of a client over its rate.
func Rate() *Error {
	return &Error{Code: CodeRate, Message: "Too many requests", Data: TagTooManyRequests}
}

// Internal returns the error of a failure of the relay.
func Internal() *Error {
	return &Error{Code: CodeInternal, Message: "Internal error: Storage operation failed", Data: TagStorageError}
}
