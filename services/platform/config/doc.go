// Package config fills a configuration struct: its own values are the defaults, over them a YAML file, over that the environment, over
// that flags. It also prints the result with what each setting means, and without secrets.
//
// A setting is a struct field with a `yaml` tag; its key is the path of those tags, joined by dots: `listen.gateway`. In the environment
// it is HAWSER_LISTEN_GATEWAY, as a flag -listen.gateway. The `doc` tag says what it means. The `secret` tag keeps it out of
// what is printed: "true" hides the value, "url" the password and the query of the URL.
package config
