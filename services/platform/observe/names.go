package observe

// Names of the suite's metrics, with their units. The Prometheus name of the first is hawser_rpc_duration_seconds.
const (
	// scope is the instrumentation scope of the suite's spans and metrics.
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
	// attrHTTPMethod and attrHTTPStatus are the method and the status of a request to the gateway.
	attrHTTPMethod = "http_method"
	attrHTTPStatus = "http_status"
	// logTrace and logSpan are the keys of the trace and span ids of a log record.
	logTrace = "trace_id"
	logSpan  = "span_id"
)
