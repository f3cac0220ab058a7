// Package config fills a configuration struct. The values in the struct are the defaults; a YAML file overrides them,
// then the environment, then flags. It also prints the result with the meaning of each setting, and without secrets.
//
// A setting is a struct field with a `yaml` tag; its key is the path of those tags, joined by dots: `listen.gateway`.
// In the environment it is HAWSER_LISTEN_GATEWAY, as a flag -listen.gateway. The `doc` tag describes it. The `secret`
// tag keeps it out of what is printed: "true" hides the value, "url" the password and the query of the URL.
package config
