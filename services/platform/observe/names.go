package observe

// Names of what this suite measures, with their units. Prometheus spells the first hawser_rpc_duration_seconds.
const (
	// scope is the instrumentation scope of our spans and metrics.
	scope = "github.com/hawser-dev/hawser"
	// metricCallDuration is a histogram of the seconds that calls took, by attrMethod and attrCode.
	metricCallDuration = "hawser.rpc.duration"
	// metricRequestDuration is a histogram of the seconds that HTTP requests took, by attrHTTPMethod and attrHTTPStatus.
	metricRequestDuration = "hawser.http.duration"
	// metricOpenStreams counts the streams that services keep open, by attrMethod.
	metricOpenStreams = "hawser.rpc.streams"
)

// Attributes of spans, metrics and log records.
const (
	// attrMethod is the full name of a procedure, as /hawser.projects.v1.ProjectsService/GetProject.
	attrMethod = "rpc_method"
	// attrCode is the gRPC code of an answer, as NotFound.
	attrCode = "rpc_code"
	// attrHTTPMethod and attrHTTPStatus are of a request to the gateway.
	attrHTTPMethod = "http_method"
	attrHTTPStatus = "http_status"
	// logTrace and logSpan join a log record to its trace.
	logTrace = "trace_id"
	logSpan  = "span_id"
)
