package bus

import (
	"strings"
	"unicode"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// Subject returns the subject of events of the named type: `hawser.projects.v1.project_changed` for
// hawser.projects.v1.ProjectChanged.
func Subject(event protoreflect.FullName) string {
	return string(event.Parent()) + "." + snakeCase(string(event.Name()))
}

// snakeCase converts the name of a message: ProjectChanged to project_changed.
func snakeCase(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// service returns the service that owns an event: the first two parts of its type, such as `hawser.projects`.
func service(event protoreflect.FullName) string {
	suite, rest, _ := strings.Cut(string(event), ".")
	name, _, _ := strings.Cut(rest, ".")
	return suite + "." + name
}
