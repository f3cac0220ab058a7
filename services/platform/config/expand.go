package config

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
)

// variable is a reference to a variable of the environment.
var variable = regexp.MustCompile(`\$\{[A-Za-z_][A-Za-z0-9_]*\}`)

// Expand replaces each ${NAME} in text by the variable of the environment, which has to be set. The error does not contain text, which may hold a secret.
func Expand(text string) (string, error) {
	var unset string
	expanded := os.Expand(text, func(name string) string {
		value, ok := os.LookupEnv(name)
		if !ok && unset == "" {
			unset = name
		}
		return value
	})
	if unset != "" {
		return "", fmt.Errorf("%s is not set in the environment", unset)
	}
	return expanded, nil
}

// unreplaced returns the texts with a ${NAME} that their services do not expand; those of lists and mappings do, where their `doc` says so. A secret
// would otherwise have the name of its variable for a value.
func unreplaced(all []setting, prefix string) (faults []Fault) {
	for _, s := range all {
		if s.value.Kind() != reflect.String || strings.Contains(s.doc, "${NAME}") {
			continue
		}
		if found := variable.FindString(s.value.String()); found != "" {
			faults = append(faults, Faultf(s.key, "%s is not replaced here; set %s in the environment instead", found, s.environment(prefix)))
		}
	}
	return faults
}
